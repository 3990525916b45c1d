import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { builtPlat, Machine, PATH } from '../black-box/plat-process';
import { readEnvConfig } from './config-check';
import { readConfigDocument, removeField } from './config-document';
import { removeAlias, saveAlias, saveDefaultAlias } from './config-file';
import { changeConfigFile } from './config-store';

const DEV = { tenant: 'acme', environment: 'dev' };

describe('the store of the configuration, Rule H3,', () => {
  let configFolder: string;
  let path: string;
  beforeEach(async () => {
    configFolder = await mkdtemp(join(tmpdir(), 'plat-store-'));
    path = join(configFolder, 'config.yaml');
  });
  afterEach(() => rm(configFolder, { recursive: true }));

  const save = (value: number, day = '2026-11-22') =>
    changeConfigFile(
      { configFolder, path },
      ({ document }) => document.set('value', value),
      new Date(`${day}T23:59:59Z`),
    );
  const text = (file = path) => readFile(file, 'utf8');

  it('keeps the text that the first save replaced of a UTC day', async () => {
    await writeFile(path, 'value: 0 # mine\n');
    await save(1);
    await save(2);
    expect(await text()).toBe('value: 2 # mine\n');
    expect(await text(`${path}.2026-11-22.bak`)).toBe('value: 0 # mine\n');
    expect((await stat(`${path}.2026-11-22.bak`)).mode & 0o777).toBe(0o600);
  });

  it('keeps five of them, and no other file goes with the old ones', async () => {
    const other = ['config.yaml.bak', 'config.yaml.2026-11-1.bak', 'other.yaml.2026-11-01.bak'];
    for (const name of [...other, 'config.yaml']) await writeFile(join(configFolder, name), 'value: 0\n');
    for (let day = 1; day <= 7; day += 1) await save(day, `2026-11-0${day}`);
    const kept = ['03', '04', '05', '06', '07'].map((day) => `config.yaml.2026-11-${day}.bak`);
    expect((await readdir(configFolder)).sort()).toEqual([...other, ...kept, 'config.yaml'].sort());
    expect(await text(`${path}.2026-11-07.bak`)).toBe('value: 6\n');
  });

  it('makes no backup of a first file, nor of a save that changes nothing', async () => {
    await save(1);
    await save(1);
    expect(await readdir(configFolder)).toEqual(['config.yaml']);
  });

  it('keeps comments, unknown keys, blank lines and long lines', async () => {
    const before = `# top\n\nunknown: "${'word '.repeat(60)}" # long\n\n# about b\nb: {c: [1, 2]}\nvalue: 1 # mine\n\n# end\n`;
    await writeFile(path, before);
    await save(2);
    expect(await text()).toBe(
      before.replace('value: 1', 'value: 2').replace('{c: [1, 2]}', '{ c: [ 1, 2 ] }'),
    );
  });

  it.each([
    ['first: 1\nlast: 2\n', 'first', 'last: 2\n'],
    ['# top\n\n# first\nfirst: 1\n# last\nlast: 2\n', 'first', '# top\n\n# first\n# last\nlast: 2\n'],
    ['first: 1\n# last\nlast: 2\n', 'last', 'first: 1\n# last\n'],
  ])('keeps the comments of %j without the field %s', async (before, field, after) => {
    await writeFile(path, before);
    await changeConfigFile({ configFolder, path }, ({ document }) => removeField(document, [field]));
    expect(await text()).toBe(after);
  });

  it("keeps the comments of the user's file when an alias is saved, chosen and removed", async () => {
    await writeFile(path, '# mine\nplatform:\n  registry: r.example # ours\n');
    const alias = {
      kind: 'platform' as const,
      apiUrl: 'https://a',
      audience: 'a',
      issuer: 'https://i',
      clientId: 'c',
    };
    await saveAlias(configFolder, { name: 'work', ...alias });
    await saveAlias(configFolder, { name: 'home', ...alias });
    await saveAlias(configFolder, { name: 'work', ...alias, apiUrl: 'https://b' });
    await saveDefaultAlias(configFolder, 'work');
    const { content } = await readConfigDocument(path);
    expect(content).toMatchObject({
      cloudAliases: [{ name: 'work', apiUrl: 'https://b' }, { name: 'home' }],
      defaultAlias: 'work',
    });
    await removeAlias(configFolder, 'work');
    await removeAlias(configFolder, 'home');
    expect(await text()).toBe('# mine\nplatform:\n  registry: r.example # ours\ncloudAliases: []\n');
  });

  it('loses nothing of writers at once, in any of its files', async () => {
    const files = [path, join(configFolder, 'acme', 'config.yaml')];
    const writes = Array.from({ length: 20 }, (_, at) =>
      changeConfigFile({ configFolder, path: files[at % 2]! }, ({ document }) =>
        document.set(`key${at}`, at),
      ),
    );
    await Promise.all(writes);
    const found = await Promise.all(
      files.map(async (file) => Object.keys((await readConfigDocument(file)).content)),
    );
    expect(found.map((keys) => keys.length)).toEqual([10, 10]);
  });

  it('writes nothing if the change throws', async () => {
    await writeFile(path, 'value: 0\n');
    const change = () => {
      throw new Error('no');
    };
    await expect(changeConfigFile({ configFolder, path }, change)).rejects.toThrow('no');
    expect(await readdir(configFolder)).toEqual(['config.yaml']);
  });

  it('replaces a planted link, and never writes through it', async () => {
    const target = join(configFolder, 'target');
    await writeFile(target, 'value: 0\n', { mode: 0o644 });
    await symlink(target, path);
    await save(1);
    expect([await text(target), await text()]).toEqual(['value: 0\n', 'value: 1\n']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, string, string]>([
    ['tabs', 'a: 1\nidle:\n\ttimeout: 5m\n', 'line 3: Tabs are not allowed as indentation.'],
    ['a key twice', 'a: 1\nb: 2\na: 3\n', 'line 3: Map keys must be unique.'],
    ['two documents', 'a: 1\n---\nb: 1\n', 'line 2: Source contains multiple documents.'],
    ['a list', '- a\n', 'the top level is not a mapping.'],
    ['text', 'a\n', 'the top level is not a mapping.'],
    [
      'an alias without its anchor',
      'a: *b\n',
      'Unresolved alias (the anchor must be set before the alias): b.',
    ],
    [
      'aliases that grow without bound',
      `${['a: &a [x, x, x, x, x, x, x, x, x, x]', ...[...'bcdefgh'].map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[at]}`).join(', ')}]`)].join('\n')}\n`,
      'Excessive alias count indicates a resource exhaustion attack.',
    ],
    ['2 MB', `a: ${'x'.repeat(2 * 1024 * 1024)}\n`, 'it has more than 1048576 bytes.'],
  ])('refuses a file with %s, by its line, and keeps it', async (_what, content, why) => {
    await writeFile(path, content);
    await expect(save(1)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `Cannot read ${path}: ${why}`,
    });
    expect(await text()).toBe(content);
    expect(await readdir(configFolder)).toEqual(['config.yaml']);
  });

  it('refuses a file that is a folder', async () => {
    await mkdir(path);
    await expect(save(1)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `Cannot read ${path}: it is a folder.`,
    });
  });

  describe("an environment's configuration", () => {
    const configure = async (content: string) => {
      const folder = join(configFolder, 'acme', 'dev');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'config.yaml'), content);
      return join(folder, 'config.yaml');
    };

    it('is read with warnings about unknown keys, which it keeps', async () => {
      const file = await configure('type: runtime\npod:\n  cpu: 2\n  gpu: 1\n');
      expect(await readEnvConfig(configFolder, DEV)).toEqual({
        config: { type: 'runtime', pod: { cpu: 2, gpu: 1 } },
        warnings: [{ path: file, line: 4, field: 'pod.gpu', message: 'pod.gpu is no known field' }],
      });
    });

    it('is refused with file, line, field and value of every fault', async () => {
      const content =
        'type: pod\ncontainerRegistries:\n  - registry: r.example\n    roles: []\nidle:\n  timeout: 5 minutes\n';
      const file = await configure(content);
      const refusal = await readEnvConfig(configFolder, DEV).catch((error: unknown) => error);
      const timeout = 'idle.timeout "5 minutes" is no duration above 0, such as 90s, 5m or 1h30m';
      expect(refusal).toMatchObject({
        code: 'CONFIG_INVALID',
        message: [
          `${file}:1: type "pod" is none of local-agent, remote-agent, runtime`,
          `${file}:4: containerRegistries[0].roles [] names no role, such as build or deploy`,
          `${file}:6: ${timeout}`,
        ].join('; '),
        details: {
          faults: [
            {},
            {},
            { path: file, line: 6, field: 'idle.timeout', value: '5 minutes', message: timeout },
          ],
        },
      });
    });

    it('is refused if there is none', async () => {
      await expect(readEnvConfig(configFolder, DEV)).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
    });
  });
});

describe('a writer that is killed', () => {
  it('between write and rename leaves the old file whole, and the next save goes on', async () => {
    const machine = await Machine.create();
    const path = join(machine.configFolder, 'config.yaml');
    await machine.plat(['config', 'set', 'defaultTenant', 'acme']);
    const killed = join(machine.home, 'killed.cjs');
    await writeFile(
      killed,
      `require('node:fs/promises').rename = async () => process.kill(process.pid, 'SIGKILL');\n`,
    );
    const plat = await builtPlat();
    const env = { PATH, HOME: machine.home, PLAT_IDLE_PROBE: 'true' };
    const argv = ['--require', killed, plat, 'config', 'set', 'defaultTenant', 'globex'];
    await expect(promisify(execFile)(process.execPath, argv, { env })).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    expect(await readFile(path, 'utf8')).toBe('defaultTenant: acme\n');
    const left = (await readdir(machine.configFolder)).filter((name) => /^config\.yaml\./.test(name));
    expect(left.length).toBeGreaterThan(0);
    expect((await machine.plat(['config', 'set', 'defaultTenant', 'initech'])).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe('defaultTenant: initech\n');
    const after = (await readdir(machine.configFolder)).filter(
      (name) => !/^config\.yaml\.[\d-]+\.bak$/.test(name),
    );
    expect(after).toEqual(['config.yaml']);
    await machine.remove();
  });
});
