import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CHANNELS } from './channel';
import {
  forwardFiles,
  listKeptForwards,
  pathsOf,
  reclaimForwards,
  removeForwardFiles,
} from './forward-files';

const DEV1 = { tenant: 'acme', environment: 'dev1' };
const DEV2 = { tenant: 'acme', environment: 'dev2' };
let folder: string;
let configFolder: string;
let held: FileHandle[];

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
async function keep(name: typeof DEV1): Promise<string[]> {
  const paths = CHANNELS.flatMap((channel) => pathsOf(configFolder, name, channel));
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, path);
  }
  return paths;
}

beforeEach(async () => {
  held = [];
  folder = await mkdtemp(join(tmpdir(), 'plat-forward-files-'));
  configFolder = join(folder, 'config');
});
afterEach(async () => {
  for (const file of held) await file.close();
  await rm(folder, { recursive: true });
});

describe('delete', () => {
  it('removes state file, log and .1 of all channels. Spec: Client, Log retention and cleanup, rule 3', async () => {
    const [paths, others] = [await keep(DEV1), await keep(DEV2)];
    expect(await forwardFiles(configFolder, DEV1)).toEqual(paths);
    expect(await removeForwardFiles(configFolder, DEV1)).toEqual(paths);
    expect(await Promise.all(paths.map(exists))).not.toContain(true);
    expect(await Promise.all(others.map(exists))).not.toContain(false);
  });

  it('removes a link in place of a log, not what it leads to', async () => {
    const [, log = ''] = await keep(DEV1);
    const outside = join(folder, 'outside');
    await writeFile(outside, 'kept');
    await rm(log);
    await symlink(outside, log);
    await removeForwardFiles(configFolder, DEV1);
    expect(await readFile(outside, 'utf8')).toBe('kept');
    expect(await exists(dirname(log))).toBe(false);
  });
});

describe('a folder with content in a record’s place', () => {
  it.each(['delete', 'reclaiming'])('is no record: %s keeps it', async (way) => {
    const [record = '', log = ''] = await keep(DEV1);
    await rm(record);
    await mkdir(join(record, 'mine'), { recursive: true });
    if (way === 'delete') await removeForwardFiles(configFolder, DEV1);
    else await reclaimForwards(configFolder, []);
    expect(await exists(join(record, 'mine'))).toBe(true);
    expect(await exists(log)).toBe(false);
  });
});

describe.each(['portforward', 'portforward/mcp', 'portforward/mcp/acme'])(
  'a link in place of %s',
  (place) => {
    it.each(['delete', 'reclaiming'])('is not followed by %s', async (way) => {
      const paths = await keep(DEV1);
      const outside = join(folder, 'outside');
      await rename(join(configFolder, place), outside);
      await symlink(outside, join(configFolder, place));
      const before = await readdir(outside, { recursive: true });
      expect(await listKeptForwards(configFolder)).not.toContainEqual({ name: DEV1, channel: 'mcp' });
      expect(await forwardFiles(configFolder, DEV1)).not.toContain(paths[0]);
      if (way === 'delete') await removeForwardFiles(configFolder, DEV1);
      else await reclaimForwards(configFolder, []);
      expect(await readdir(outside, { recursive: true })).toEqual(before);
    });
  },
);

describe('reclaiming', () => {
  it('removes unknown environments and empty folders. Spec: Client, Log retention and cleanup, rule 4', async () => {
    const [known, unknown, foreign] = [
      await keep(DEV1),
      await keep(DEV2),
      await keep({ tenant: 'gone', environment: 'dev1' }),
    ];
    const empty = join(configFolder, 'portforward', 'api', 'empty');
    await mkdir(empty);
    const removed = await reclaimForwards(configFolder, [DEV1]);
    expect(removed.sort()).toEqual([...unknown, ...foreign].sort());
    expect(await Promise.all(known.map(exists))).not.toContain(false);
    expect(await exists(dirname(foreign[0] ?? ''))).toBe(false);
    expect(await exists(empty)).toBe(false);
  });

  it('removes nothing if the configuration was never made. Spec: Client, Log retention and cleanup, rule 5', async () => {
    const paths = await keep(DEV1);
    expect(await reclaimForwards(configFolder, undefined)).toEqual([]);
    expect(await Promise.all(paths.map(exists))).not.toContain(false);
  });

  it('keeps a log that a process has open, without a record too. Spec: Client, Log retention and cleanup, rule 5', async () => {
    const [record = '', log = '', older = ''] = await keep(DEV1);
    await rm(record);
    held.push(await open(log, 'a'));
    const removed = await reclaimForwards(configFolder, []);
    expect(removed).not.toContain(log);
    expect(removed).toContain(older);
    expect(await exists(log)).toBe(true);
  });

  it('keeps an open log if the folder of the configuration is reached by a link', async () => {
    const [, log = ''] = await keep(DEV1);
    held.push(await open(log, 'a'));
    const link = join(folder, 'link');
    await symlink(configFolder, link);
    await reclaimForwards(link, []);
    expect(await exists(log)).toBe(true);
  });

  it('leaves files with other names, and what a link leads to', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'dev1.json'), 'kept');
    const tenant = join(configFolder, 'portforward', 'mcp', 'acme');
    await mkdir(tenant, { recursive: true });
    await writeFile(join(tenant, 'notes.txt'), 'kept');
    await writeFile(join(tenant, 'Dev_1.json'), 'kept');
    await symlink(outside, join(configFolder, 'portforward', 'mcp', 'linked'));
    expect(await listKeptForwards(configFolder)).toEqual([]);
    expect(await reclaimForwards(configFolder, [])).toEqual([]);
    expect(await exists(join(outside, 'dev1.json'))).toBe(true);
    expect(await exists(join(tenant, 'notes.txt'))).toBe(true);
  });
});
