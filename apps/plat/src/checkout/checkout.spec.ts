import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import type { Failure } from '../terminal/failure';
import { shellQuote } from '../terminal/shell-quote';
import {
  defaultBranch,
  openCheckout,
  repositoryOfCheckout,
  requireCleanTree,
  requireCurrentBranch,
  requireHeadCommit,
} from './checkout';
import { requireStanding } from './standing';

describe('a checkout reports', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    return { machine, checkout, git: gitIn(checkout.folder) };
  }

  it('its changes: the first five, and all of them in the details', async () => {
    const { checkout, git } = await setUp();
    const files = ['a', 'b', 'c d', 'e', 'f', 'g'];
    for (const file of files) await writeFile(join(checkout.folder, file), '');
    await expect(requireCleanTree(git)).rejects.toMatchObject({
      code: 'DIRTY_TREE',
      message: expect.stringMatching(/: a, b, c d, e, f, …\.$/),
      details: { files },
    });
  });

  it('the files of a merge that was left with conflicts', async () => {
    const { checkout, git } = await setUp();
    await checkout.branch('one', { 'numbers.txt': lines(1, 40, { 3: 'one' }) });
    await checkout.commit({ 'numbers.txt': lines(1, 40, { 3: 'main' }) }, 'Three');
    await expect(checkout.git('merge', 'one')).rejects.toThrow('merge');
    await expect(requireCleanTree(git)).rejects.toMatchObject({ details: { files: ['numbers.txt'] } });
  });

  it.each([
    ['assume-unchanged', ['update-index', '--assume-unchanged', 'README.md'], /assume-unchanged/],
    ['skip-worktree', ['update-index', '--skip-worktree', 'README.md'], /skip-worktree/],
    ['a sparse checkout', ['sparse-checkout', 'set', '--no-cone', 'numbers.txt'], /sparse/],
  ])('that files which %s hides from git may be changed', async (_what, args, message) => {
    const { checkout, git } = await setUp();
    await checkout.git(...args);
    const hidden = { code: 'HIDDEN_FILES', details: { files: ['README.md'] } };
    await expect(requireCleanTree(git)).rejects.toMatchObject(hidden);
    const head = await checkout.git('rev-parse', 'HEAD');
    const standing = requireStanding(git, 'main', head);
    await expect(standing).rejects.toMatchObject({ ...hidden, message: expect.stringMatching(message) });
  });

  it('no repository without an origin, or with one that names none', async () => {
    const { checkout, git } = await setUp();
    await checkout.git('remote', 'set-url', 'origin', '../elsewhere');
    const none = { code: 'NO_REPOSITORY', next: 'repeat the command with --repository <remote>' };
    await expect(repositoryOfCheckout(git)).rejects.toMatchObject(none);
    await checkout.git('remote', 'remove', 'origin');
    await expect(repositoryOfCheckout(git)).rejects.toMatchObject(none);
  });

  it('no repository if git rewrites its https address to an alias of SSH, and how to keep the rule for pushes', async () => {
    const { checkout, git } = await setUp();
    const stored = 'https://git.example.com/acme/app.git';
    await checkout.git('remote', 'set-url', 'origin', stored);
    await checkout.git('config', '--global', 'url.git@work:.insteadOf', 'https://git.example.com/');
    const own = gitIn(checkout.folder, undefined, { HOME: dirname(checkout.folder) });
    const refused = await repositoryOfCheckout(own).catch((error: unknown) => error as Failure);
    expect(refused).toMatchObject({
      code: 'REWRITTEN_REMOTE',
      details: { stored: 'https://git.example.com/acme/app', used: 'https://work/acme/app' },
    });
    // The commands are typed as they are printed.
    const typed = (refused as Failure).next!.replace(/^.*alone: /, '').split(' && ');
    for (const command of typed) await checkout.git(...command.split(' ').slice(1));
    expect(await repositoryOfCheckout(own)).toBe('https://git.example.com/acme/app');
    expect(await checkout.git('remote', 'get-url', '--push', 'origin')).toBe('git@work:acme/app.git');
    expect(await repositoryOfCheckout(git)).toBe('https://git.example.com/acme/app');
  });

  it('the repository if git rewrites its address to SSH of the same host', async () => {
    const { checkout } = await setUp();
    await checkout.git('remote', 'set-url', 'origin', 'https://git.example.com/acme/app.git');
    await checkout.git(
      'config',
      '--global',
      'url.git@git.example.com:.insteadOf',
      'https://git.example.com/',
    );
    const own = gitIn(checkout.folder, undefined, { HOME: dirname(checkout.folder) });
    expect(await repositoryOfCheckout(own)).toBe('https://git.example.com/acme/app');
  });

  it('that it belongs to another user, and not that there is none', async () => {
    const { checkout } = await setUp();
    const foreign = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
    for (const [name, value] of Object.entries(foreign)) process.env[name] = value;
    try {
      await expect(openCheckout(checkout.folder)).rejects.toMatchObject({
        code: 'CHECKOUT_OF_ANOTHER_USER',
        next: expect.stringContaining(
          `git config --global --add safe.directory ${shellQuote([checkout.folder])}`,
        ),
      });
    } finally {
      for (const name of Object.keys(foreign)) delete process.env[name];
    }
  });

  it('no default branch if origin does not name one', async () => {
    const { checkout, git } = await setUp();
    expect(await defaultBranch(git)).toBe('main');
    await checkout.git('--git-dir', checkout.origin, 'symbolic-ref', 'HEAD', 'refs/heads/none');
    await expect(defaultBranch(git)).rejects.toMatchObject({ code: 'NO_TARGET_BRANCH' });
  });

  it('no branch while HEAD is detached', async () => {
    const { checkout, git } = await setUp();
    expect(await requireCurrentBranch(git)).toBe('main');
    await checkout.git('checkout', '--quiet', '--detach');
    await expect(requireCurrentBranch(git)).rejects.toMatchObject({ code: 'NO_SOURCE_BRANCH' });
  });

  it("the branch's own name if a tag has the same name", async () => {
    const { checkout, git } = await setUp();
    await checkout.git('tag', 'main');
    expect(await requireCurrentBranch(git)).toBe('main');
    expect(await requireCleanTree(git)).toMatchObject({ branch: 'main' });
  });

  it('no commit if there is none yet', async () => {
    const { machine, checkout } = await setUp();
    const empty = join(machine.home, 'empty');
    await mkdir(empty);
    await checkout.git('init', '--quiet', empty);
    await expect(requireHeadCommit(gitIn(empty))).rejects.toMatchObject({ code: 'NO_COMMIT' });
  });
});
