import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { besideGit } from '../black-box/beside-git';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from './gate-merge';

describe('plat exec gate-merge, while a person works in the checkout', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await checkout.branch('part', { 'part.txt': 'part\n' });
    await checkout.branch('clash', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
    await checkout.commit({ 'numbers.txt': lines(1, 40, { 2: 'zwei' }) }, 'Zwei');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.git('switch', '--quiet', '--create', 'wip');
    const gate = (sources: string[], env: Record<string, string> = {}) =>
      machine.plat(
        [
          'exec',
          'gate-merge',
          '--messages-on-stdin',
          ...sources.map((s) => `--source=${s}`),
          '--target-branch=main',
          '--json',
        ],
        { cwd: checkout.folder, input: sources.join('\0'), env },
      );
    const content = (file: string) => readFile(join(checkout.folder, file), 'utf8');
    return { machine, checkout, gate, content };
  }

  /** Runs the command in the checkout once, while the client fetches from origin. */
  async function whileFetching(checkout: GateCheckout, command: string): Promise<void> {
    const program = join(checkout.folder, '.git', 'upload-pack');
    const once = `test -e .git/worked || { cd "${checkout.folder}" && touch .git/worked && ${command}; } >&2`;
    const script = `#!/bin/sh\n(cd "${checkout.folder}"; unset GIT_DIR; ${once})\nexec git-upload-pack "$@"\n`;
    await writeFile(program, script, { mode: 0o755 });
    await checkout.git('config', 'remote.origin.uploadpack', `'${program}'`);
  }

  const STAGED = 'echo mine >> README.md && echo mine > mine.txt && git add README.md mine.txt';

  it.each([
    ['staged', STAGED, ['part']],
    ['edited, and a source conflicts', 'echo mine >> README.md && echo mine > mine.txt', ['clash']],
    ['staged, and nothing can be merged', STAGED, ['gone', 'clash']],
  ])('refuses and keeps files changed during the fetch: %s', async (_what, command, sources) => {
    const { checkout, gate, content } = await setUp();
    await whileFetching(checkout, command);
    expect((await gate(sources)).json()).toMatchObject({ code: 'DIRTY_TREE' });
    expect([await content('README.md'), await content('mine.txt')]).toEqual(['app\nmine\n', 'mine\n']);
    expect(await checkout.git('symbolic-ref', 'HEAD')).toBe('refs/heads/wip');
  });

  it.each([
    ['the branch that is checked out', 'git commit --quiet --no-gpg-sign --allow-empty -m Mine', 'wip'],
    [
      'the local target',
      'git update-ref refs/heads/main $(git commit-tree -m Mine -p main main^{tree})',
      'main',
    ],
  ])('keeps a commit made during the fetch on %s', async (_what, command, branch) => {
    const { checkout, gate } = await setUp();
    await whileFetching(checkout, command);
    await checkout.git('config', 'gpg.program', 'false');
    await checkout.git('config', 'commit.gpgSign', 'true');
    expect((await gate(['part'])).code).toBe(1);
    expect(await checkout.git('log', '-1', '--format=%s', branch)).toBe('Mine');
    expect(await checkout.git('symbolic-ref', 'HEAD')).toBe('refs/heads/wip');
  });

  it('merges nothing that is staged during the merge, keeps it and reports where', async () => {
    const { machine, checkout, gate } = await setUp();
    const env = await besideGit(machine, 'merge-tree', STAGED);
    const refused = (await gate(['part'], env)).json<{ code: string; details: { keptChanges: string } }>();
    expect(refused).toMatchObject({ code: 'DIRTY_TREE' });
    expect(await checkout.git('symbolic-ref', 'HEAD')).toBe('refs/heads/wip');
    expect(await checkout.git('status', '--porcelain')).toBe('');
    const kept = refused.details.keptChanges;
    expect(await checkout.git('show', `${kept}:mine.txt`)).toBe('mine');
    expect(await checkout.git('show', `${kept}:README.md`)).toBe('app\nmine');
  });

  it('leaves a commit that is made during the merge checked out', async () => {
    const { machine, checkout, gate } = await setUp();
    const env = await besideGit(machine, 'commit-tree', `${STAGED} && git commit --quiet -m Mine`);
    expect((await gate(['part'], env)).json()).toMatchObject({ code: 'CHECKOUT_NOT_RESTORED' });
    expect(await checkout.git('log', '-1', '--format=%s')).toBe('Mine');
  });

  it('does not move a local target that a person moves meanwhile', async () => {
    const { machine, checkout, gate } = await setUp();
    const mine = 'git update-ref refs/heads/main $(git commit-tree -m Mine -p main main^{tree})';
    const env = await besideGit(machine, 'merge-tree', mine);
    expect((await gate(['part'], env)).json()).toMatchObject({ code: 'CHECKOUT_MOVED' });
    expect(await checkout.git('log', '-1', '--format=%s', 'main')).toBe('Mine');
    expect(await checkout.git('symbolic-ref', 'HEAD')).toBe('refs/heads/wip');
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('refuses to move a branch that another worktree has checked out', async () => {
    const { machine, checkout, gate } = await setUp();
    const other = join(machine.home, 'other');
    await checkout.git('worktree', 'add', '--quiet', other, 'main');
    const standing = await checkout.git('rev-parse', 'main');
    expect((await gate(['part'])).json()).toMatchObject({
      code: 'CHECKED_OUT_ELSEWHERE',
      details: { folder: other },
    });
    expect(await checkout.git('rev-parse', 'main')).toBe(standing);
    await checkout.git('worktree', 'remove', other);
    expect((await gate(['part'])).json<GateMerge>().merged).toHaveLength(1);
  });

  it('does not count a checkout whose git folder is elsewhere, such as a submodule, as another worktree', async () => {
    const { machine, checkout, gate } = await setUp();
    await checkout.git('init', '--quiet', '--separate-git-dir', join(machine.home, 'elsewhere.git'));
    await checkout.git('switch', '--quiet', 'main');
    expect((await gate(['part'])).json<GateMerge>().merged).toHaveLength(1);
  });

  it('refuses to leave behind commits on a detached HEAD that no ref holds', async () => {
    const { checkout, gate } = await setUp();
    await checkout.git('switch', '--quiet', '--detach');
    expect((await gate(['part'])).json<GateMerge>().merged).toHaveLength(1);
    await checkout.git('switch', '--quiet', '--detach');
    const mine = await checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
    const refused = (await gate(['part'])).json<{ code: string; details: { next: string } }>();
    expect(refused).toMatchObject({ code: 'LOCAL_COMMITS', details: { commitId: mine, commits: [mine] } });
    expect(await checkout.git('rev-parse', 'HEAD')).toBe(mine);
    const keep = /git (branch \S+ [0-9a-f]{40})/.exec(refused.details.next)?.[1]?.split(' ') ?? [];
    await checkout.git(...keep);
    expect((await gate(['part'])).json<GateMerge>().merged).toHaveLength(1);
  });

  it('goes on after an interrupted gate', async () => {
    const { machine, checkout, gate } = await setUp();
    const env = await besideGit(machine, '--stdin', 'kill -9 $PPID; exit 0');
    expect((await gate(['part'], env)).code).toBeNull();
    expect(await checkout.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD');
    expect((await gate(['part'])).json<GateMerge>().merged).toHaveLength(1);
  });

  it.each([
    ['rebase', 'GIT_SEQUENCE_EDITOR="sed -i.bak 1s/pick/edit/" git rebase --quiet --interactive HEAD~1'],
    ['rebase that applies patches', 'mkdir .git/rebase-apply'],
    ['merge', 'git merge --quiet --no-commit --strategy=ours origin/part'],
    ['cherry-pick', 'git cherry-pick --no-commit origin/main && git update-ref CHERRY_PICK_HEAD HEAD'],
    ['bisection', 'git bisect start --no-checkout HEAD HEAD~1'],
  ])('refuses while a %s is unfinished', async (_what, command) => {
    const { checkout, gate } = await setUp();
    await checkout.git('-c', `alias.x=!${command}`, 'x');
    const standing = await checkout.everything();
    expect((await gate(['part'])).json()).toMatchObject({ code: 'UNFINISHED_OPERATION' });
    expect(await checkout.everything()).toBe(standing);
  });
});
