import { mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
import { type Git, gitIn } from '../git/git';
import { openDriveWorktree, requireNoDriveWorktree } from './drive-worktree';

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
  const merge = (git: Git, ...sources: string[]) => {
    const messages = (found: readonly string[]) => Promise.resolve(new Map(found.map((one) => [one, one])));
    return gateMerge(
      git,
      { sources, targetBranch: 'main', messages, onNoBranch: true },
      (_step, work) => work,
    );
  };
  it('is made next to the checkout, whose branches, index and files stay as they are', async () => {
    await checkout.branch('topic', { 'numbers.txt': lines(1, 40, { 3: 'topic' }) });
    await writeFile(join(checkout.folder, 'README.md'), 'mine\n');
    const before = await checkout.everything();
    const git = await open();
    expect(git.folder).toBe(beside());
    expect(notes).toEqual([`Drives of this checkout work in ${beside()}, a worktree of their own.`]);
    const { mergeCommit } = await merge(git, 'topic');
    expect((await git.run(['rev-parse', 'HEAD'])).trim()).toBe(mergeCommit);
    expect(await checkout.everything()).toBe(before);
  });

  it('moves aside what is left of one that git no longer knows, and deletes nothing', async () => {
    const git = await open();
    await writeFile(join(git.folder, 'mine.txt'), 'mine\n');
    await rename(beside(), join(home, 'away'));
    await checkout.git('worktree', 'prune');
    await rename(join(home, 'away'), beside());
    notes.length = 0;
    await open();
    const left = /What was in it is in (.+)\.$/.exec(notes[0] ?? '')?.[1] ?? '';
    expect(await readFile(join(left, 'mine.txt'), 'utf8')).toBe('mine\n');
  });

  it('is whole even if the checkout is sparse', async () => {
    await checkout.branch('topic', { 'deep/a.txt': 'a\n' });
    await checkout.git('sparse-checkout', 'set', 'nothing');
    const git = await open();
    await merge(git, 'topic');
    expect(await readFile(join(git.folder, 'deep/a.txt'), 'utf8')).toBe('a\n');
    expect(await checkout.git('config', '--get', 'core.sparseCheckout')).toBe('true');
  });

  it('is no checkout in which to start a drive', async () => {
    await expect(requireNoDriveWorktree(await open())).rejects.toMatchObject({ code: 'WORKTREE_OF_DRIVES' });
    await expect(requireNoDriveWorktree(gitIn(checkout.folder))).resolves.toBeUndefined();
  });
});
