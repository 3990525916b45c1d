import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
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
  const merge = (git: Git, ...sources: string[]) => {
    const messages = (found: readonly string[]) => Promise.resolve(new Map(found.map((one) => [one, one])));
    return gateMerge(
      git,
      { sources, targetBranch: 'main', messages, onNoBranch: true },
      (_step, work) => work,
    );
  };

  it('is kept with the files that the repository ignores', async () => {
    await checkout.commit({ '.gitignore': 'cache/\n' }, 'Ignore');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.branch('topic', { 'a.txt': 'a\n' });
    const git = await open();
    await merge(git, 'topic');
    await mkdir(join(git.folder, 'cache'));
    await writeFile(join(git.folder, 'cache/a'), 'cached\n');
    const again = await open();
    await merge(again, 'topic');
    expect(await readFile(join(again.folder, 'cache/a'), 'utf8')).toBe('cached\n');
    expect(notes).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its folder was deleted', () => rm(beside(), { recursive: true })],
    [
      'its folder was deleted and git worktree prune was run',
      () => rm(beside(), { recursive: true }).then(() => checkout.git('worktree', 'prune')),
    ],
    [
      'it was removed with git worktree remove',
      () => checkout.git('worktree', 'remove', '--force', beside()),
    ],
    [
      'a drive was killed while it was made',
      async () => {
        await checkout.git('worktree', 'lock', '--reason', 'initializing', beside());
        await rm(beside(), { recursive: true });
      },
    ],
  ])('is made again if %s', async (_what, lose) => {
    await checkout.branch('topic', { 'a.txt': 'a\n' });
    await merge(await open(), 'topic');
    await lose();
    const git = await open();
    expect(git.folder).toBe(beside());
    expect((await merge(git, 'topic')).merged).toHaveLength(1);
  });

  it('has the submodules that are initialised in the checkout', async () => {
    await writeFile(join(home, '.gitconfig'), '[protocol "file"]\nallow=always\n', { flag: 'a' });
    await checkout.git('config', 'protocol.file.allow', 'always');
    await checkout.git('submodule', '--quiet', 'add', checkout.origin, 'library');
    await checkout.commit({}, 'Library');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.branch('topic', { 'a.txt': 'a\n' });
    process.env.GIT_ALLOW_PROTOCOL = 'file';
    const git = await open();
    await merge(git, 'topic').finally(() => delete process.env.GIT_ALLOW_PROTOCOL);
    expect(await readFile(join(git.folder, 'library/README.md'), 'utf8')).toBe('app\n');
    expect(await git.run(['status', '--porcelain', '--ignored'])).toBe('');
  });
});
