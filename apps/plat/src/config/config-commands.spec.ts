import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
    expect((await config('set', 'platform.registry', 'r.example.com')).code).toBe(0);
    expect((await config('set', 'defaultTenant', 'acme')).json()).toEqual({
      path,
      key: 'defaultTenant',
      value: 'acme',
    });
    expect(await readFile(path, 'utf8')).toBe(
      '# mine\nplatform:\n  basedomain: example.com # ours\n  registry: r.example.com\ndefaultTenant: acme\n',
    );
    expect((await config('get', 'platform.registry')).json()).toBe('r.example.com');
    expect((await config('get')).json()).toMatchObject({ defaultTenant: 'acme' });
  });

  it.each([
    [['get', 'nothing'], 'NO_SUCH_KEY'],
    [['get', '__proto__'], 'INVALID_KEY'],
    [['get', 'constructor'], 'NO_SUCH_KEY'],
    [['set', 'cloudAliases', '[]'], 'MANAGED_KEY'],
    [['set', 'a..b', '1'], 'INVALID_KEY'],
    [['set', 'a', '{'], 'INVALID_VALUE'],
    [['set', 'a'.repeat(100 * 1024), '1'], 'INVALID_KEY'],
    [['set', 'cloudAliases', '[]', '--dry-run'], 'MANAGED_KEY'],
    [['unset', 'cloudAliases'], 'MANAGED_KEY'],
    [['unset', 'nothing'], 'NO_SUCH_KEY'],
    [['unset', 'nothing', '--dry-run'], 'NO_SUCH_KEY'],
    [['set', 'defaultTenant', 'A', '--dry-run'], 'INVALID_VALUE'],
    [['get', '--tenant=a-'], 'INVALID_NAME'],
    [['get', `--tenant=${'a'.repeat(100 * 1024)}`], 'INVALID_NAME'],
    [['get', '--environment=dev'], 'USAGE'],
  ])('refuses %j as %s', async (args, code) => {
    const { config } = await setUp();
    expect((await config(...args)).json()).toMatchObject({ code, exitCode: 1 });
  });

  it('refuses to write below a value, or into a file that is not a mapping, and keeps the file', async () => {
    const { machine, config } = await setUp();
    await config('set', 'a', '1', '--allow-unknown');
    expect((await config('set', 'a.b', '2')).json()).toMatchObject({ code: 'INVALID_KEY' });
    const path = join(machine.configFolder, 'config.yaml');
    await writeFile(path, '- broken');
    expect((await config('set', 'a', '2')).json()).toMatchObject({ code: 'CONFIG_UNREADABLE' });
    expect(await readFile(path, 'utf8')).toBe('- broken');
  });

  it('writes nothing under --dry-run', async () => {
    const { config } = await setUp();
    expect((await config('set', 'defaultTenant', 'acme', '--dry-run')).json()).toMatchObject({
      dryRun: true,
    });
    expect((await config('get')).json()).toEqual({});
  });

  it.each([
    [
      'idle.timeout',
      '5 minutes',
      'idle.timeout "5 minutes" is no duration above 0, such as 90s, 5m or 1h30m.',
    ],
    [
      'idle',
      '{timezone: Mars/Base}',
      'idle.timezone "Mars/Base" is no IANA time zone, such as Europe/Berlin.',
    ],
    ['containerRegistries', '[{registry: r.example}]', 'containerRegistries[0].roles is missing.'],
    ['repoUrl', 'https://me:secret@h/o/r', 'repoUrl is no URL of a git remote without credentials.'],
  ])('refuses %s of an environment as %s, and writes nothing', async (key, value, message) => {
    const { machine, config } = await setUp();
    const scope = ['--tenant=acme', '--environment=dev'];
    expect((await config('set', key, value, ...scope)).json()).toMatchObject({
      code: 'INVALID_VALUE',
      message,
    });
    expect((await config('get', ...scope)).json()).toEqual({});
    expect(await readdir(machine.configFolder)).toEqual([]);
  });

  it.each<[string, string[], string[]]>([
    ['a field that was meant', ['defaultTenantt', 'acme'], ['plat config set defaultTenant <value>']],
    ['the level that has it', ['defaultEnvironment', 'dev'], ['--tenant <tenant>']],
    ['below an unknown mapping', ['idle.timeout', '5m'], ['--tenant <tenant> --environment <env>']],
    ['all fields, if none is near', ['colour', 'red'], ['defaultAlias', 'platform.registry']],
    [
      'at an environment',
      ['idel.timeout', '5m', '--tenant=acme', '--environment=dev'],
      ['plat config set idle.timeout <value> --tenant <tenant> --environment <env>'],
    ],
  ])('refuses a field that is unknown, and names %s', async (_, args, named) => {
    const { machine, config } = await setUp();
    const run = await config('set', ...args);
    expect({ exit: run.code, ...run.json() }).toMatchObject({ exit: 1, code: 'UNKNOWN_KEY' });
    for (const text of named) expect(run.json<{ details: { next: string } }>().details.next).toContain(text);
    expect(await readdir(machine.configFolder)).toEqual([]);
  });

  it('refuses a default alias that the machine does not have', async () => {
    const { config } = await setUp();
    expect((await config('set', 'defaultAlias', 'nope')).json()).toMatchObject({ code: 'UNKNOWN_ALIAS' });
  });

  it('warns of a field that is unknown, and keeps it, with --allow-unknown', async () => {
    const { machine } = await setUp();
    const scope = ['--tenant=acme', '--environment=dev', '--allow-unknown'];
    const run = await machine.plat(['config', 'set', 'colour', 'red', ...scope]);
    const path = join(machine.configFolder, 'acme', 'dev', 'config.yaml');
    expect(run).toMatchObject({ code: 0, stdout: `colour is set in ${path}.\n` });
    expect(run.stderr).toBe(`colour is no known field of ${path}.\n`);
    expect(await readFile(path, 'utf8')).toBe('colour: red\n');
  });

  it('removes a value and the mappings that it leaves empty, and keeps the comments', async () => {
    const { machine, config } = await setUp();
    const path = join(machine.configFolder, 'config.yaml');
    await mkdir(machine.configFolder, { recursive: true });
    await writeFile(path, '# mine\n\n# about a\na:\n  b:\n    c: 1\nd: 1 # ours\n');
    expect((await config('unset', 'a.b.c', '--dry-run')).json()).toMatchObject({ dryRun: true });
    expect((await config('unset', 'a.b.c')).json()).toEqual({ path, key: 'a.b.c' });
    expect(await readFile(path, 'utf8')).toBe('# mine\n\n# about a\nd: 1 # ours\n');
  });

  it('refuses to write below an alias, which stands for another mapping', async () => {
    const { machine, config } = await setUp();
    await mkdir(machine.configFolder, { recursive: true });
    await writeFile(join(machine.configFolder, 'config.yaml'), 'a: &a {b: 1}\nc: *a\n');
    expect((await config('set', 'c.b', '2')).json()).toMatchObject({ code: 'INVALID_KEY' });
  });
});

describe('plat config check', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = await Machine.create();
  });
  afterAll(() => machine.remove());

  async function write(path: string, content: string): Promise<string> {
    const file = join(machine.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  }

  it('has nothing to say without files', async () => {
    const run = await machine.plat(['config', 'check']);
    expect(run).toMatchObject({ code: 0, stdout: '0 files, 0 faults\n' });
  });

  it('names every fault of the three levels and of the project by file, line, field and value', async () => {
    const user = await write('.config/plat/config.yaml', '# mine\ndefaultTenant: A\n');
    const tenant = await write('.config/plat/acme/config.yaml', 'defaultEnvironment:\n\t- dev\n');
    const dev = await write(
      '.config/plat/acme/dev/config.yaml',
      'type: runtime\nlocalPortRangeStart: 17000\n',
    );
    const test = await write(
      '.config/plat/acme/test/config.yaml',
      'type: runtime\nidle:\n  workingHours: 8-20\ncolour: red\n',
    );
    const other = await write('.config/plat/globex/dev/config.yaml', 'localPortRangeStart: 17050\n');
    await mkdir(join(machine.configFolder, 'globex', 'prod', 'config.yaml'), { recursive: true });
    await write('.config/plat/sessions/x.json', '{}');
    const project = await write(
      'shop/.plat/config.yaml',
      'platform:\n  basedomain: example.com\n  zone: x\n',
    );
    await mkdir(join(machine.home, 'shop', '.git'));
    const cwd = join(machine.home, 'shop', 'src');
    await mkdir(cwd);

    const run = await machine.plat(['config', 'check'], { cwd });
    expect(run.code).toBe(1);
    expect(run.stdout.split('\n')).toEqual([
      `${user}:2: defaultTenant "A" is no name: use lower-case letters, digits and hyphens`,
      `${tenant}:2: Tabs are not allowed as indentation`,
      `${test}:3: idle.workingHours "8-20" is no span of hours with two different ends, such as 08:00-20:00`,
      `${other}: type is missing`,
      `${join(machine.configFolder, 'globex', 'prod', 'config.yaml')}: it is a folder`,
      `${project}:3: platform.zone is no known key`,
      `${dev}:2: localPortRangeStart 17000 overlaps the block of globex-dev, which starts at 17050`,
      `${other}:1: localPortRangeStart 17050 overlaps the block of acme-dev, which starts at 17000`,
      `${test}:4: colour is no known field (kept)`,
      '7 files, 8 faults',
      '',
    ]);
    const json = await machine.plat(['config', 'check', '--json'], { cwd });
    expect(json.code).toBe(1);
    expect(json.json<{ faults: unknown[] }>().faults[2]).toEqual({
      path: test,
      line: 3,
      field: 'idle.workingHours',
      value: '8-20',
      message: 'idle.workingHours "8-20" is no span of hours with two different ends, such as 08:00-20:00',
    });
  });
});
