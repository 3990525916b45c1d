import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from '@plat/testing';
import { ensureInstalled } from './install.mjs';

interface Packages {
  [path: string]: { version?: string; integrity?: string; optional?: boolean };
}

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function repository(wanted: Packages, present?: Packages): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'plat-install-'));
  folders.push(root);
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (present) await install(root, present);
  return root;
}

async function install(root: string, packages: Packages): Promise<void> {
  await mkdir(join(root, 'node_modules'), { recursive: true });
  await writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
}

const wanted: Packages = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };

describe('ensureInstalled', () => {
  it.each<[string, Packages, Packages]>([
    ['the packages are those of the lock file', wanted, wanted],
    [
      'an optional package of another platform is absent',
      { ...wanted, b: { version: '1', optional: true } },
      wanted,
    ],
    ['there is more than the lock file names', wanted, { ...wanted, c: { version: '1' } }],
  ])('does nothing when %s', async (_case, lock, present) => {
    const npmCi = jest.fn();
    expect(await ensureInstalled({ root: await repository(lock, present), npmCi })).toBe(0);
    expect(npmCi).not.toHaveBeenCalled();
  });

  it.each<[string, Packages | undefined]>([
    ['nothing is installed', undefined],
    ['a package is missing', { '': {} }],
    ['a package has another version', { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } }],
    ['a package has another hash', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
  ])('installs when %s, and says why and how long it took', async (_case, present) => {
    const root = await repository(wanted, present);
    const said: string[] = [];
    const npmCi = () => install(root, wanted).then(() => 0);
    expect(await ensureInstalled({ root, npmCi, log: (line: string) => said.push(line) })).toBe(0);
    expect(said).toEqual([
      expect.stringMatching(/^Installing packages/),
      expect.stringMatching(/^Packages installed in \d+ s/),
    ]);
  });

  it('passes the exit code of a failed npm ci on', async () => {
    const root = await repository(wanted);
    expect(await ensureInstalled({ root, npmCi: async () => 7, log: () => undefined })).toBe(7);
  });

  it('installs once when two start at once', async () => {
    const root = await repository(wanted);
    const npmCi = jest.fn(() => install(root, wanted).then(() => 0));
    const both = [1, 2].map(() => ensureInstalled({ root, npmCi, log: () => undefined }));
    expect(await Promise.all(both)).toEqual([0, 0]);
    expect(npmCi).toHaveBeenCalledTimes(1);
  });

  it('takes the lock of a process that is gone', async () => {
    const root = await repository(wanted);
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, 'dist', 'install.lock'), String(gone));
    const npmCi = () => install(root, wanted).then(() => 0);
    expect(await ensureInstalled({ root, npmCi, log: () => undefined })).toBe(0);
    expect(await readdir(join(root, 'dist'))).toEqual([]);
  });
});
