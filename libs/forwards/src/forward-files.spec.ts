import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keptForwards, moveFromCache, pathsOf, reclaimForwards, removeForwardFiles } from './forward-files';

const DEV = { tenant: 'acme', environment: 'dev' };
const GONE = { tenant: 'acme', environment: 'gone' };
const OLD = { tenant: 'old', environment: 'dev' };

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-forwards-'))));
afterEach(() => rm(folder, { recursive: true }));

async function keep(...names: Array<typeof DEV>) {
  const paths = names.flatMap((name) => pathsOf(folder, name, 'mcp'));
  for (const path of paths) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, path);
  }
  return paths;
}

describe('Log retention and cleanup', () => {
  it('rule 3: the record, the log and .1 of a deleted environment are removed, and no other', async () => {
    await keep(DEV, GONE);
    expect(await removeForwardFiles(folder, GONE, 'mcp')).toHaveLength(3);
    expect(await keptForwards(folder)).toEqual([{ name: DEV, channel: 'mcp' }]);
    await removeForwardFiles(folder, DEV, 'mcp');
    expect(await readdir(join(folder, 'portforward', 'mcp'))).toEqual([]);
  });

  it('rule 4: what belongs to no configured environment is removed, with folders that are left empty', async () => {
    await keep(DEV, GONE, OLD);
    await reclaimForwards(folder, [DEV]);
    expect(await keptForwards(folder)).toEqual([{ name: DEV, channel: 'mcp' }]);
    expect(await readdir(join(folder, 'portforward', 'mcp'))).toEqual(['acme']);
  });

  it('rule 5: a log that a process has open is kept, also without a record', async () => {
    const [record = '', log = ''] = await keep(GONE);
    await rm(record);
    const held = await open(log, 'a');
    await reclaimForwards(folder, []);
    expect(existsSync(log)).toBe(true);
    await held.close();
    await reclaimForwards(folder, []);
    expect(existsSync(log)).toBe(false);
  });

  it('rule 5: nothing is removed if the configuration was never made', async () => {
    await keep(GONE);
    expect(await reclaimForwards(folder, undefined)).toEqual([]);
    expect(await keptForwards(folder)).toHaveLength(1);
  });

  it('files with names that no environment can have are left alone', async () => {
    const strange = join(folder, 'portforward', 'mcp', 'acme', '..json');
    await mkdir(dirname(strange), { recursive: true });
    await writeFile(strange, '');
    await reclaimForwards(folder, []);
    expect(existsSync(strange)).toBe(true);
  });
});

describe('Versioning', () => {
  it('rule 3: a record and its log move from the cache folder once, and replace nothing', async () => {
    const cacheFolder = join(folder, 'cache');
    const old = (end: string) => join(cacheFolder, 'mcp', 'acme', `dev.${end}`);
    await mkdir(dirname(old('json')), { recursive: true });
    await writeFile(old('json'), 'record');
    await writeFile(old('log'), 'log');
    const [record = '', log = ''] = pathsOf(folder, DEV, 'mcp');
    expect(await moveFromCache({ cacheFolder, configFolder: folder }, DEV)).toEqual([record, log]);
    expect(await readFile(log, 'utf8')).toBe('log');
    expect(existsSync(dirname(old('json')))).toBe(false);
    await mkdir(dirname(old('json')), { recursive: true });
    await writeFile(old('json'), 'another');
    expect(await moveFromCache({ cacheFolder, configFolder: folder }, DEV)).toEqual([]);
    expect(await readFile(record, 'utf8')).toBe('record');
  });
});
