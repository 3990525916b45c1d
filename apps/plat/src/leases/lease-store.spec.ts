import { mkdtemp, rename, rm, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { LeaseStore } from './lease-store';

describe('the file of a lease', () => {
  let folder: string;
  let path: string;
  let leases: LeaseStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-leases-'));
    leases = new LeaseStore(join(folder, 'leases'));
    path = join(folder, 'leases', 'worktree.json');
    await leases.take({ scope: 'worktree', holder: 'h' });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each<[string, () => Promise<unknown>]>([
    ['a pipe, which is not waited for', () => rm(path).then(() => promisify(execFile)('mkfifo', [path]))],
    ['a link', () => rename(path, join(folder, 'a.json')).then(() => symlink(join(folder, 'a.json'), path))],
    ['a huge file', () => truncate(path, 2 ** 40)],
  ])('stops the command if %s is in its place', async (_what, make) => {
    await make();
    await expect(leases.list()).rejects.toMatchObject({ code: 'LEASE_UNREADABLE' });
  });
});
