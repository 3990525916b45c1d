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
    const all = { HOME: home, ...variables };
    return buildRegistries(readEnvironment(all, 'linux'), readBuildVariables(all));
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

  it.each(['{', '{}', '[1]', '[{"registry":"-x","roles":[]}]', '[{"registry":"r.example"}]', '"r.example"'])(
    'are refused as %s',
    async (text) => {
      await expect(registries({ PLAT_CONTAINER_REGISTRIES: text })).rejects.toMatchObject({
        code: 'INVALID_REGISTRIES',
        message: expect.stringContaining('PLAT_CONTAINER_REGISTRIES'),
      });
    },
  );

  it.each([
    ['true', true],
    ['1', true],
    ['T', true],
    ['false', false],
    ['', false],
    ['yes', false],
  ])('read PLAT_DISABLE_BUILD_SCRIPT=%s as Go does', (text, disabled) => {
    expect(readBuildVariables({ PLAT_DISABLE_BUILD_SCRIPT: text }).scriptDisabled).toBe(disabled);
  });
});
