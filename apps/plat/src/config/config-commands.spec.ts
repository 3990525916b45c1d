import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Machine } from '../black-box/plat-process';

describe('plat config', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    return { machine, config: (...args: string[]) => machine.plat(['config', ...args, '--json']) };
  }

  it('keeps one file a user, a tenant and an environment', async () => {
    const { machine, config } = await setUp();
    const at = (...names: string[]) => ({ path: join(machine.configFolder, ...names, 'config.yaml') });
    expect((await config('path')).json()).toEqual(at());
    expect((await config('path', '--tenant=acme')).json()).toEqual(at('acme'));
    expect((await config('path', '--tenant=acme', '--environment=dev')).json()).toEqual(at('acme', 'dev'));
    expect((await config('path', '--tenant=../../etc')).json()).toMatchObject({ code: 'INVALID_NAME' });
  });

  it('sets a value as YAML and keeps the rest of the file, including comments', async () => {
    const { machine, config } = await setUp();
    const path = join(machine.configFolder, 'config.yaml');
    await mkdir(machine.configFolder, { recursive: true });
    await writeFile(path, '# mine\nplatform:\n  basedomain: example.com # ours\n');
    expect((await config('set', 'platform.serviceszone', 's.example.com')).code).toBe(0);
    expect((await config('set', 'mcpEnabled', 'false')).json()).toEqual({
      path,
      key: 'mcpEnabled',
      value: false,
    });
    expect(await readFile(path, 'utf8')).toBe(
      '# mine\nplatform:\n  basedomain: example.com # ours\n  serviceszone: s.example.com\nmcpEnabled: false\n',
    );
    expect((await config('get', 'platform.serviceszone')).json()).toBe('s.example.com');
    expect((await config('get')).json()).toMatchObject({ mcpEnabled: false });
  });

  it.each([
    [['get', 'nothing'], 'NO_SUCH_KEY'],
    [['get', '__proto__'], 'INVALID_KEY'],
    [['get', 'constructor'], 'NO_SUCH_KEY'],
    [['set', 'cloudAliases', '[]'], 'MANAGED_KEY'],
    [['set', 'a..b', '1'], 'INVALID_KEY'],
    [['set', 'a', '{'], 'INVALID_VALUE'],
  ])('refuses %j as %s', async (args, code) => {
    const { config } = await setUp();
    expect((await config(...args)).json()).toMatchObject({ code, exitCode: 1 });
  });

  it('refuses to write below a value, or into a file that is not a mapping, and keeps the file', async () => {
    const { machine, config } = await setUp();
    await config('set', 'a', '1');
    expect((await config('set', 'a.b', '2')).json()).toMatchObject({ code: 'INVALID_KEY' });
    const path = join(machine.configFolder, 'config.yaml');
    await writeFile(path, '- broken');
    expect((await config('set', 'a', '2')).json()).toMatchObject({ code: 'CONFIG_UNREADABLE' });
    expect(await readFile(path, 'utf8')).toBe('- broken');
  });

  it('writes nothing under --dry-run', async () => {
    const { config } = await setUp();
    expect((await config('set', 'a', '1', '--dry-run')).json()).toMatchObject({ dryRun: true });
    expect((await config('get')).json()).toEqual({});
  });
});
