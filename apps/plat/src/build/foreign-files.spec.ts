import { chmod, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { BuilderDouble } from '../black-box/builder-double';
import { agentOverStdio } from '../black-box/mcp-agent';
import { Machine } from '../black-box/plat-process';

const GIBIBYTE = 1024 ** 3;

/** Makes something else in the place of a file of the checkout. */
type Make = (path: string) => Promise<unknown>;

describe('the files of a checkout in which another person works', () => {
  let machine: Machine;
  let folder: string;
  let builder: BuilderDouble;

  beforeEach(async () => {
    machine = await Machine.create();
    builder = await BuilderDouble.install(machine);
    folder = join(machine.home, 'checkout');
    await mkdir(join(folder, '.git'), { recursive: true });
    await mkdir(join(folder, '.plat'));
    await writeFile(join(folder, 'Dockerfile'), 'FROM scratch\n');
    await writeFile(join(folder, 'VERSION'), '1.4.0\n');
    await writeFile(join(machine.home, 'outside'), '1.0.0\n', { mode: 0o755 });
  });
  afterEach(() => machine.remove());

  const plat = async (...args: string[]) => {
    // A slow answer is the fault that these tests look for: a pipe or a device without an end.
    const run = await machine.plat([...args, '--json'], { cwd: folder, env: builder.variables });
    return run.json<{ code: string; message: string }>();
  };
  const dryRun = () => plat('build', '--dry-run');

  const replaced =
    (make: Make): Make =>
    async (path) => {
      await rm(path, { force: true });
      await make(path);
    };
  const pipe = replaced((path) => promisify(execFile)('mkfifo', [path]));
  const link = (to: string) => replaced((path) => symlink(to, path));
  const folderOf = replaced((path) => mkdir(path));
  const huge: Make = async (path) => {
    await writeFile(path, '');
    await truncate(path, 5 * GIBIBYTE);
  };
  const bytes = (max: number) => `has more than ${max} bytes`;

  it.each<[string, Make, string]>([
    ['a pipe', pipe, 'is not a regular file'],
    ['a folder', folderOf, 'is a folder'],
    ['a link to itself', link('VERSION'), 'is a link that leads to itself'],
    ['a link to a device', link('/dev/zero'), 'is a link that leads out of'],
    ['a link out of the checkout', link('../outside'), 'is a link that leads out of'],
    ['a huge sparse file', huge, bytes(1024)],
  ])('VERSION is refused at once if it is %s', async (_what, make, why) => {
    await make(join(folder, 'VERSION'));
    const { code, message } = await dryRun();
    expect({ code, message }).toEqual({ code: 'INVALID_VERSION', message: expect.stringContaining(why) });
  });

  it('VERSION and Dockerfile may be links to other files of the checkout', async () => {
    await mkdir(join(folder, 'docker'));
    await writeFile(join(folder, 'docker', 'Dockerfile'), 'FROM scratch AS test\n');
    await writeFile(join(folder, 'docker', 'version'), '2.0.0\n');
    await link('docker/Dockerfile')(join(folder, 'Dockerfile'));
    await link('docker/version')(join(folder, 'VERSION'));
    expect(await dryRun()).toMatchObject({ dryRun: true });
  });

  it.each<[string, string, Make, string]>([
    ['a pipe', 'Dockerfile', pipe, 'is not a regular file'],
    ['a link to a device', 'Dockerfile', link('/dev/zero'), 'is a link that leads out of'],
    ['a link out of the checkout', 'Dockerfile', link('../outside'), 'is a link that leads out of'],
    ['a huge sparse file', 'Dockerfile', huge, bytes(1024 * 1024)],
    ['a pipe', 'docker/part/Dockerfile', pipe, 'is not a regular file'],
    ['a link out of the checkout', 'build.sh', link('../outside'), 'is a link that leads out of'],
  ])('%s in the place of %s is refused', async (_what, name, make, why) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await make(path);
    const { code, message } = await dryRun();
    expect({ code, message }).toEqual({ code: 'BUILD_FILE_REFUSED', message: expect.stringContaining(why) });
  });

  it('a pipe with the name of build.sh is no build script', async () => {
    await pipe(join(folder, 'build.sh'));
    await chmod(join(folder, 'build.sh'), 0o755);
    expect(await dryRun()).toMatchObject({
      plan: expect.arrayContaining([expect.stringMatching(/docker buildx build /)]) as unknown,
    });
  });

  it('a Dockerfile that the person names may be outside, and is no pipe', async () => {
    await writeFile(join(machine.home, 'Other'), 'FROM scratch\n');
    expect(await plat('build', '--dry-run', '--file', '../Other')).toMatchObject({
      dryRun: true,
    });
    await pipe(join(machine.home, 'Other'));
    expect(await plat('build', '--dry-run', '--file', '../Other')).toMatchObject({
      code: 'BUILD_FILE_REFUSED',
    });
  });

  it.each<[string, Make, string]>([
    ['a pipe', pipe, 'it is not a regular file'],
    ['a link to a device', link('/dev/zero'), 'it is a link that leads out of'],
    ['a link out of the checkout', link('../../outside'), 'it is a link that leads out of'],
    ['a huge sparse file', huge, `it ${bytes(1024 * 1024)}`],
  ])('.plat/config.yaml is a fault of the configuration if it is %s', async (_what, make, why) => {
    await make(join(folder, '.plat', 'config.yaml'));
    const run = await machine.plat(['config', 'check', '--json'], { cwd: folder });
    expect(run.json()).toMatchObject({ faults: [{ message: expect.stringContaining(why) as unknown }] });
  });

  it('.plat/config.yaml may be a link to another file of the checkout', async () => {
    await writeFile(join(folder, 'plat.yaml'), 'platform: {}\n');
    await link('../plat.yaml')(join(folder, '.plat', 'config.yaml'));
    const run = await machine.plat(['config', 'check', '--json'], { cwd: folder });
    expect(run.stdout).not.toContain('leads out of');
    expect(run.stdout).toContain('config.yaml');
  });

  it('names a Dockerfile outside the project to a person, and builds none for an agent', async () => {
    await writeFile(join(machine.home, 'Other'), 'FROM scratch\n');
    const { code, stderr } = await machine.plat(['build', '--dry-run', '--file', '../Other'], {
      cwd: folder,
      env: builder.variables,
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`${join(machine.home, 'Other')} is outside the project.`),
    });
    const agent = await agentOverStdio(machine, { cwd: folder, env: builder.variables });
    const { isError, value } = await agent.call('build', { file: '../Other', preview: true });
    await agent.client.close();
    expect({ isError, value }).toMatchObject({ isError: true, value: { code: 'BUILD_FILE_REFUSED' } });
  });
});
