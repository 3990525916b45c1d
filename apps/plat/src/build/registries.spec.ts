import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBuildVariables } from '../config/build-variables';
import { readEnvironment } from '../environment';
import { buildRegistries } from './registries';

describe('the registries of a build', () => {
  let home: string;
  beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'plat-registries-'))));
  afterEach(() => rm(home, { recursive: true }));

  const IN_POD = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };
  const registries = (variables: Record<string, string> = {}) => {
    const environment = readEnvironment({ HOME: home, ...variables }, 'linux');
    return buildRegistries(environment, readBuildVariables(environment));
  };
  async function configure(content: object, ...below: string[]): Promise<void> {
    const folder = join(home, '.config', 'plat', ...below);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'config.yaml'), JSON.stringify(content));
  }

  it('are those of PLAT_CONTAINER_REGISTRIES with role build', async () => {
    const PLAT_CONTAINER_REGISTRIES = JSON.stringify([
      { registry: 'r.example/team', roles: ['build', 'deploy'] },
      { registry: 'mirror.example', roles: ['deploy'] },
      { registry: 'localhost:5000', roles: ['build'] },
    ]);
    expect(await registries({ PLAT_CONTAINER_REGISTRIES })).toEqual([
      { registry: 'r.example/team', isPlatforms: false },
      { registry: 'localhost:5000', isPlatforms: false },
    ]);
  });

  it('are none if none is configured', async () => {
    expect(await registries()).toEqual([]);
    expect(await registries({ PLAT_CONTAINER_REGISTRIES: '[]' })).toEqual([]);
  });

  it("are those of the environment's configuration before the user's own", async () => {
    await configure({ containerRegistries: [{ registry: 'user.example', roles: ['build'] }] });
    expect(await registries(IN_POD)).toMatchObject([{ registry: 'user.example' }]);
    await configure({ containerRegistries: [{ registry: 'env.example', roles: ['build'] }] }, 'acme', 'dev');
    expect(await registries(IN_POD)).toMatchObject([{ registry: 'env.example' }]);
  });

  it("take the operator's token if platform.registry names them as the platform's own", async () => {
    await configure({ platform: { registry: 'r.example:5000' } });
    const PLAT_CONTAINER_REGISTRIES = JSON.stringify([
      { registry: 'r.example:5000/acme', roles: ['build'] },
      { registry: 'r.example', roles: ['build'] },
    ]);
    const found = await registries({ PLAT_CONTAINER_REGISTRIES });
    expect(found.map(({ isPlatforms }) => isPlatforms)).toEqual([true, false]);
  });

  it.each<[unknown]>([
    ['r.example'],
    [{}],
    [[1]],
    [[{ registry: 'r.example' }]],
    [[{ registry: '-x', roles: ['build'] }]],
  ])('are refused as %j in the configuration', async (containerRegistries) => {
    await configure({ containerRegistries });
    await expect(registries()).rejects.toMatchObject({
      code: 'INVALID_REGISTRIES',
      message: expect.stringContaining('containerRegistries'),
    });
  });

  it('are refused as a variable that is no list of them', async () => {
    await expect(async () => registries({ PLAT_CONTAINER_REGISTRIES: '[1]' })).rejects.toMatchObject({
      code: 'INVALID_VARIABLES',
      message: expect.stringContaining('PLAT_CONTAINER_REGISTRIES "[1]" is no JSON list'),
    });
  });
});

describe('PLAT_DISABLE_BUILD_SCRIPT', () => {
  const read = (text: string) =>
    readBuildVariables(readEnvironment({ PLAT_DISABLE_BUILD_SCRIPT: text }, 'linux')).scriptDisabled;

  it.each([
    ['true', true],
    ['1', true],
    ['T', true],
    ['false', false],
    ['', false],
  ])('%s is read as Go does', (text, disabled) => {
    expect(read(text)).toBe(disabled);
  });

  it('is refused as yes, instead of running a build script after all', () => {
    expect(() => read('yes')).toThrow(expect.objectContaining({ code: 'INVALID_VARIABLES' }));
  });
});
