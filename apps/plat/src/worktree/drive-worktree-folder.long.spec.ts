import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { type Git, gitIn } from '../git/git';
import { openDriveWorktree } from './drive-worktree';

describe('the worktree of a checkout’s drives', () => {
  let home: string;
  let checkout: GateCheckout;
  const notes: string[] = [];
  beforeEach(async () => {
    notes.length = 0;
    home = await realpath(await mkdtemp(join(tmpdir(), 'plat-worktree-')));
    checkout = await GateCheckout.create({ home } as Machine);
    await checkout.git('config', 'user.name', 'Test');
    await checkout.git('config', 'user.email', 'test@example.com');
  });
  afterEach(() => rm(home, { recursive: true }));

  const configFolder = () => join(home, 'config');
  const open = (): Promise<Git> =>
    openDriveWorktree(gitIn(checkout.folder), {
      configFolder: configFolder(),
      note: (line) => notes.push(line),
    });
  const beside = () => `${checkout.folder}.plat-drive`;

  describe('is in the client’s folder', () => {
    const isOwn = async () => expect(dirname((await open()).folder)).toBe(join(configFolder(), 'worktrees'));

    it.each<[string, () => Promise<unknown>]>([
      ['a folder of a person is in its place', () => mkdir(beside())],
      ['a link is in its place', () => symlink(tmpdir(), beside())],
      [
        'a folder with a pipe named .git is in its place',
        async () => {
          await mkdir(beside());
          execFileSync('mkfifo', [join(beside(), '.git')]);
        },
      ],
      ['the checkout is inside another repository', () => checkout.git('init', '--quiet', home)],
    ])('if %s, which stays', async (_what, take) => {
      await take();
      const before = await readdir(home);
      await isOwn();
      expect(await readdir(home)).toEqual([...before, 'config'].sort());
      await isOwn();
    });

    it('if the folder of the checkout cannot be written', async () => {
      // The superuser writes everywhere.
      if (process.getuid?.() === 0) return;
      await mkdir(configFolder());
      await chmod(home, 0o555);
      await isOwn().finally(() => chmod(home, 0o755));
    });
  });

  it('is made again if another user has put a folder in its place', async () => {
    // Only the superuser can make a folder of another user.
    if (process.getuid?.() !== 0) return;
    await chown((await open()).folder, 12_345, 12_345);
    expect((await open()).folder).toBe(beside());
    expect((await stat(beside())).uid).toBe(0);
  });
});
