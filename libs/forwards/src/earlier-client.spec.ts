import fs, { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { moveFromCache } from './earlier-client';

const DEV1 = { tenant: 'acme', environment: 'dev1' };
let folder: string;
let configFolder: string;
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-earlier-'));
  configFolder = join(folder, 'config');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('the files of an earlier client', () => {
  const oldOf = (file: string) => join(folder, 'cache', 'sshd', 'acme', file);
  const move = () => moveFromCache({ cacheFolder: join(folder, 'cache'), configFolder }, DEV1);
  const [record, log] = ['dev1.json', 'dev1.log'];
  const newOf = (file: string) => join(configFolder, 'portforward', 'sshd', 'acme', file);
  beforeEach(async () => {
    await mkdir(dirname(oldOf(record)), { recursive: true });
    await writeFile(oldOf(record), 'old record');
    await writeFile(oldOf(log), 'old log');
  });

  it('are moved at the first access, each with its log. Spec: Client, Versioning, rule 3', async () => {
    expect(await move()).toEqual([newOf(record), newOf(log)]);
    expect(await readFile(newOf(record), 'utf8')).toBe('old record');
    expect(await readFile(newOf(log), 'utf8')).toBe('old log');
    expect(await exists(dirname(oldOf(record)))).toBe(false);
    expect(await move()).toEqual([]);
  });

  it('replace nothing', async () => {
    await mkdir(dirname(newOf(record)), { recursive: true });
    await writeFile(newOf(record), 'new record');
    expect(await move()).toEqual([newOf(log)]);
    expect(await readFile(newOf(record), 'utf8')).toBe('new record');
    expect(await readFile(oldOf(record), 'utf8')).toBe('old record');
  });

  it('are not moved if they are links, and nothing fails', async () => {
    await rm(oldOf(record));
    await symlink(oldOf(log), oldOf(record));
    expect(await move()).toEqual([newOf(log)]);
    expect(await exists(newOf(record))).toBe(false);
  });

  it.each(['sshd', 'sshd/acme'])('are not moved if a link is in place of the folder %s', async (place) => {
    const outside = join(folder, 'outside');
    await fs.rename(join(folder, 'cache', place), outside);
    await symlink(outside, join(folder, 'cache', place));
    const before = await readdir(outside, { recursive: true });
    expect(await move()).toEqual([]);
    expect(await readdir(outside, { recursive: true })).toEqual(before);
  });

  it('are not moved through a link in place of the tenant’s new folder, which is replaced', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await mkdir(join(configFolder, 'portforward', 'sshd'), { recursive: true });
    await symlink(outside, dirname(newOf(record)));
    expect(await move()).toEqual([newOf(record), newOf(log)]);
    expect(await readdir(outside)).toEqual([]);
    expect(await readFile(newOf(record), 'utf8')).toBe('old record');
  });

  it('are moved to another file system. Spec: Client, Versioning, rule 3', async () => {
    const real = fs.rename;
    jest.spyOn(fs, 'rename').mockImplementation(async (old, path) => {
      // As the system answers between two file systems.
      if (dirname(String(old)) !== dirname(String(path))) {
        throw Object.assign(new Error('cross-device link not permitted'), { code: 'EXDEV' });
      }
      return real(old, path);
    });
    expect(await move()).toEqual([newOf(record), newOf(log)]);
    expect(await readFile(newOf(record), 'utf8')).toBe('old record');
    expect((await stat(newOf(record))).mode & 0o777).toBe(0o600);
    expect(await exists(dirname(oldOf(record)))).toBe(false);
    expect((await readdir(dirname(newOf(record)))).sort()).toEqual([record, log]);
  });

  it('stay, if another file system is full, and nothing of them is left there', async () => {
    const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    jest.spyOn(fs, 'rename').mockImplementation(failing('EXDEV'));
    jest.spyOn(fs, 'copyFile').mockImplementation(failing('ENOSPC'));
    expect(await move()).toEqual([]);
    expect(await readFile(oldOf(record), 'utf8')).toBe('old record');
    expect(await readdir(dirname(newOf(record)))).toEqual([]);
  });

  it('of a name that leads out of the folder are refused', async () => {
    const out = { tenant: '..', environment: 'dev1' };
    await expect(moveFromCache({ cacheFolder: join(folder, 'cache'), configFolder }, out)).rejects.toThrow(
      RangeError,
    );
  });
});
