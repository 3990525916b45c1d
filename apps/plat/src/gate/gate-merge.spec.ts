import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine, type PlatOptions, type PlatRun } from '../black-box/plat-process';
import type { GateMerge } from './gate-merge';

/** Leaves out the gate's own refs, into which a refused gate may have fetched already. */
function withoutGateRefs(everything: string): string {
  return everything.replaceAll(/^.*refs\/(?:worktree\/)?plat\/.*\n/gm, '');
}

describe('plat exec gate-merge', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const gate = (
      sources: string[],
      more: string[] = [],
      input = sources.map((s) => `Merge ${s}`).join('\0'),
    ) =>
      machine.plat(
        [
          'exec',
          'gate-merge',
          '--messages-on-stdin',
          ...sources.map((s) => `--source=${s}`),
          '--json',
          ...more,
        ],
        {
          cwd: checkout.folder,
          input,
        },
      );
    return { machine, checkout, gate };
  }

  /** Three branches that change different lines of one file. */
  async function threeBranches(checkout: GateCheckout): Promise<string[]> {
    await checkout.branch('feature/1-first', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
    await checkout.branch('feature/2-second', {
      'numbers.txt': lines(1, 40, { 20: 'twenty' }),
      'new/file.txt': 'n\n',
    });
    await checkout.branch('bug/3-third', { 'numbers.txt': lines(1, 40, { 39: 'thirty-nine' }) });
    return ['feature/1-first', 'feature/2-second', 'bug/3-third'];
  }

  it.each([1, 2, 3])(
    'lands %i sources as the same tree as merging them one by one by hand',
    async (count) => {
      const { checkout, gate } = await setUp();
      const sources = (await threeBranches(checkout)).slice(0, count);
      const byHand = await checkout.treeByHand(...sources);
      const run = await gate(sources);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      const result = run.json<GateMerge>();
      expect(result.merged.map(({ sourceBranch }) => sourceBranch)).toEqual(sources);
      expect(result.skipped).toEqual([]);
      expect(await checkout.tree(result.mergeCommit)).toBe(byHand);
      expect(await checkout.git('rev-parse', 'refs/heads/main')).toBe(result.mergeCommit);
      expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
      expect(await checkout.git('rev-list', '--count', `${result.targetCommit}..HEAD`)).toBe(String(count));
      expect(await checkout.git('status', '--porcelain')).toBe('');
    },
  );

  it('names the tip of each source and its squash commit, which has one parent', async () => {
    const { checkout, gate } = await setUp();
    const sources = await threeBranches(checkout);
    const { merged, targetCommit } = (await gate(sources)).json<GateMerge>();
    let parent = targetCommit;
    for (const { sourceBranch, sourceCommit, commitId } of merged) {
      expect(sourceCommit).toBe(await checkout.git('rev-parse', `origin/${sourceBranch}`));
      expect(await checkout.git('log', '-1', '--format=%P', commitId)).toBe(parent);
      parent = commitId;
    }
  });

  it('skips a conflicting source, records it with its files, and merges the next ones', async () => {
    const { checkout, gate } = await setUp();
    const tip = await checkout.branch('clash', {
      'numbers.txt': lines(1, 40, { 2: 'zwei' }),
      'README.md': 'clash\n',
    });
    const [first, second] = await threeBranches(checkout);
    const byHand = await checkout.treeByHand(first!, second!);
    const run = await gate([first!, 'clash', second!]);
    expect(run.code).toBe(0);
    const result = run.json<GateMerge>();
    expect(result.merged.map(({ sourceBranch }) => sourceBranch)).toEqual([first, second]);
    expect(result.skipped).toEqual([
      { sourceBranch: 'clash', sourceCommit: tip, reason: 'conflict', files: ['numbers.txt'] },
    ]);
    expect(await checkout.tree('HEAD')).toBe(byHand);
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('skips a missing source and records it', async () => {
    const { checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    const run = await gate(['feature/9-gone', first!]);
    expect(run.code).toBe(0);
    expect(run.json<GateMerge>()).toMatchObject({
      merged: [{ sourceBranch: first, message: `Merge ${first}` }],
      skipped: [{ sourceBranch: 'feature/9-gone', reason: 'missing' }],
    });
  });

  it('skips a source that adds nothing, and exits with 1 and its JSON if all sources are skipped', async () => {
    const { checkout, gate } = await setUp();
    await checkout.git('push', '--quiet', 'origin', 'main:refs/heads/same');
    const run = await gate(['same', 'gone']);
    expect(run.code).toBe(1);
    const result = run.json<GateMerge>();
    expect(result.merged).toEqual([]);
    expect(result.mergeCommit).toBe(result.targetCommit);
    expect(result.skipped).toMatchObject([
      { sourceBranch: 'same', reason: 'empty' },
      { sourceBranch: 'gone', reason: 'missing' },
    ]);
  });

  it.each([
    ['the target', 'main', 'part'],
    ['a source', 'part', 'part'],
  ])('refuses to overwrite an ignored file that %s has too, and names it', async (_what, branch, source) => {
    const { checkout, gate } = await setUp();
    await checkout.branch('part', { 'part.txt': 'part\n' });
    await checkout.git('switch', '--quiet', '--create', 'mine', 'main');
    await checkout.git('switch', '--quiet', branch);
    await checkout.commit({ '.env': 'theirs\n', 'logs/a/b.log': 'theirs\n' }, 'Env');
    await checkout.git('push', '--quiet', 'origin', branch);
    await checkout.git('switch', '--quiet', 'mine');
    await writeFile(join(checkout.folder, '.git', 'info', 'exclude'), '.env\nlogs\n');
    await writeFile(join(checkout.folder, '.env'), 'mine\n');
    await writeFile(join(checkout.folder, 'logs'), 'mine\n');
    const run = await gate([source], ['--target-branch=main']);
    expect(run.json()).toMatchObject({ code: 'FILES_IN_THE_WAY' });
    expect(run.json<{ message: string }>().message).toContain('.env');
    expect(await readFile(join(checkout.folder, '.env'), 'utf8')).toBe('mine\n');
    expect(await readFile(join(checkout.folder, 'logs'), 'utf8')).toBe('mine\n');
    expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('mine');
  });

  it('refuses a shallow checkout, in which valid branches share no history', async () => {
    const { machine, checkout } = await setUp();
    const [first] = await threeBranches(checkout);
    const cwd = join(machine.home, 'shallow');
    await checkout.git('clone', '--quiet', '--depth=1', `file://${checkout.origin}`, cwd);
    const gate = () =>
      machine.plat(['exec', 'gate-merge', '--messages-on-stdin', `--source=${first}`, '--json'], {
        cwd,
        input: 'First',
      });
    expect((await gate()).json()).toMatchObject({ code: 'SHALLOW_CHECKOUT' });
    await checkout.git('-C', cwd, 'fetch', '--quiet', '--unshallow');
    expect((await gate()).json<GateMerge>().merged).toHaveLength(1);
  });

  it('keeps the closing-issue and reproduction lines, and the people, of every commit beneath the message, each once', async () => {
    const { checkout, gate } = await setUp();
    const body =
      'Why.\n\nCloses #12\nReproduces: login twice\nRegression-Test: login.spec\nSigned-off-by: A <a@b>';
    await checkout.branch('feature/12-login', { a: 'a\n' }, `Fix login\n\n${body}`);
    await checkout.git('switch', '--quiet', 'feature/12-login');
    await checkout.commit({ b: 'b\n' }, 'More\n\nCloses #12\nRegression-Test-Waived: no display\nCloses #13');
    await checkout.git('push', '--quiet', 'origin', 'feature/12-login');
    await gate(['feature/12-login'], [], 'Sign in twice');
    expect(await checkout.git('log', '-1', '--format=%B')).toBe(
      [
        'Sign in twice',
        '',
        'Closes #12',
        'Reproduces: login twice',
        'Regression-Test: login.spec',
        'Regression-Test-Waived: no display',
        'Closes #13',
        '',
        'Signed-off-by: A <a@b>',
      ].join('\n'),
    );
  });

  it("uses origin's target, and moves a stale local one or one at an earlier merge", async () => {
    const { checkout, gate } = await setUp();
    const [first, second] = await threeBranches(checkout);
    const byHand = await checkout.treeByHand(first!);
    for (const source of [second!, first!]) {
      expect((await gate([source])).json()).not.toHaveProperty('leftBehind');
    }
    expect(await checkout.tree('HEAD')).toBe(byHand);
  });

  it('refuses to leave behind local commits of the target that no other branch or tag holds', async () => {
    const { checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    const mine = await checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
    const before = await checkout.everything();
    const refused = (await gate([first!])).json<{ code: string; details: { next: string } }>();
    expect(refused).toMatchObject({ code: 'LOCAL_COMMITS', details: { commitId: mine, commits: [mine] } });
    expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    expect(withoutGateRefs(await checkout.everything())).toBe(withoutGateRefs(before));
    // Runs the printed next step. The next gate then names the commits that it leaves behind.
    const keep = /git (branch \S+ [0-9a-f]{40})/.exec(refused.details.next)?.[1]?.split(' ') ?? [];
    await checkout.git(...keep);
    const run = await gate([first!]);
    expect(run.json()).toMatchObject({ leftBehind: { branch: 'main', commitId: mine } });
    expect(run.stderr).toBe(`main stood at ${mine} here, which another branch or tag holds.\n`);
  });

  it('fetches into refs of its own and leaves the remote-tracking branches and FETCH_HEAD alone', async () => {
    const { checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    const before = await checkout.git('for-each-ref', 'refs/remotes', 'refs/tags');
    await gate([first!]);
    expect(await checkout.git('for-each-ref', 'refs/remotes', 'refs/tags')).toBe(before);
    expect(
      (await checkout.git('for-each-ref', '--format=%(refname)', 'refs/worktree/plat/gate')).split('\n'),
    ).toEqual([`refs/worktree/plat/gate/${first}`, 'refs/worktree/plat/gate/main']);
  });

  describe('refuses before it touches anything', () => {
    async function refused(
      prepare: (checkout: GateCheckout) => Promise<unknown>,
      args: string[],
      input?: PlatOptions['input'],
    ) {
      const { machine, checkout } = await setUp();
      await threeBranches(checkout);
      await prepare(checkout);
      const before = await checkout.everything();
      const announced = typeof input === 'string' ? ['--messages-on-stdin'] : [];
      const run: PlatRun = await machine.plat(['exec', 'gate-merge', ...announced, ...args, '--json'], {
        cwd: checkout.folder,
        input,
      });
      expect(await checkout.everything()).toBe(before);
      return { code: run.code, failure: run.json() };
    }
    const nothing = () => Promise.resolve();

    it.each([
      ['a file is changed', 'numbers.txt'],
      ['a file is untracked', 'of mine, untracked.txt'],
    ])('where %s', async (_what, file) => {
      const dirty = (checkout: GateCheckout) => writeFile(join(checkout.folder, file), 'mine\n');
      const { code, failure } = await refused(dirty, ['--source', 'feature/1-first'], 'Message');
      expect(code).toBe(1);
      expect(failure).toMatchObject({ code: 'DIRTY_TREE', details: { files: [file] }, exitCode: 1 });
    });

    it.each(['--upload-pack=touch pwned', '-x', 'a..b', 'a b', '', 'refs/heads/x.lock'])(
      'a source named %j',
      async (source) => {
        const { code, failure } = await refused(nothing, [`--source=${source}`], 'Message');
        expect(code).toBe(1);
        expect(failure).toMatchObject({ code: 'INVALID_BRANCH' });
      },
    );

    it.each([
      ['twice', ['--source', 'feature/1-first', '--source', 'feature/1-first']],
      ['that is the target', ['--source', 'main']],
    ])('a source given %s', async (_what, args) => {
      const { failure } = await refused(nothing, args, 'One\0Two');
      expect(failure).toMatchObject({ code: 'DUPLICATE_SOURCE', exitCode: 1 });
    });

    it('messages that are fewer than the sources, or blank', async () => {
      const sources = ['--source', 'feature/1-first', '--source', 'feature/2-second'];
      expect((await refused(nothing, sources, 'One')).failure).toMatchObject({ code: 'MESSAGES_MISMATCH' });
      expect((await refused(nothing, sources, 'One\0 \n\0')).failure).toMatchObject({
        code: 'BLANK_MESSAGE',
      });
    });

    it('without messages and without a platform alias, with exit code 127', async () => {
      const { code, failure } = await refused(nothing, ['--source', 'feature/1-first']);
      expect(code).toBe(127);
      expect(failure).toMatchObject({ code: 'NO_PLATFORM_ALIAS', exitCode: 127 });
    });

    it('without a platform alias, and waits for no pipe at stdin that no flag names', async () => {
      const { failure } = await refused(nothing, ['--source', 'feature/1-first'], { silent: true });
      expect(failure).toMatchObject({ code: 'NO_PLATFORM_ALIAS' });
    });

    it('nothing under --dry-run, but only prints the plan', async () => {
      const { code, failure } = await refused(nothing, ['--source', 'feature/1-first', '--dry-run'], 'One');
      expect(code).toBe(0);
      expect(failure).toMatchObject({ dryRun: true });
      expect(failure.plan).toContainEqual(
        expect.stringMatching(
          /^git -c .* -c merge\.renameLimit=7000 .*merge-tree --write-tree .*-z HEAD refs\/worktree\/plat\/gate\/feature\/1-first$/,
        ),
      );
    });
  });

  it('reports a target that origin lacks, a missing origin, and a folder without git', async () => {
    const { machine, checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    expect((await gate([first!], ['--target-branch', 'gone'])).json()).toMatchObject({
      code: 'NO_SUCH_TARGET',
    });
    await checkout.git('remote', 'set-url', 'origin', 'https://user:hunter2@127.0.0.1:1/gone.git');
    const run = await gate([first!], ['--target-branch', 'main']);
    expect(run.json()).toMatchObject({ code: 'GIT_FAILED', exitCode: 1 });
    expect(run.stdout + run.stderr).not.toContain('hunter2');
    const outside = await machine.plat(['exec', 'gate-merge', '--source', 'x', '--json']);
    expect(outside.json()).toMatchObject({ code: 'NOT_A_CHECKOUT' });
  });

  describe('restores the checkout', () => {
    async function stopGate(prepare: (checkout: GateCheckout) => Promise<unknown>) {
      const { checkout, gate } = await setUp();
      const [first, second] = await threeBranches(checkout);
      await checkout.git('switch', '--quiet', '--create', 'mine');
      await prepare(checkout);
      const heads = () => checkout.git('for-each-ref', 'refs/heads');
      const before = await heads();
      const run = await gate([first!, second!]);
      expect(await heads()).toBe(before);
      expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('mine');
      expect(await checkout.git('status', '--porcelain')).toBe('');
      return run;
    }

    it('if a step fails', async () => {
      const run = await stopGate(async (checkout) => {
        // Signs the commit by which the gate looks whether it can sign, and no later one.
        // It reads the commit first: git fails on a program that ends before it has read its input.
        const once = `cat > /dev/null; test -e "$0.done" && exit 1; touch "$0.done"; echo signature`;
        const signs = join(checkout.folder, '..', 'signs-once');
        const script = `#!/bin/sh\n${once}; printf '\\n[GNUPG:] SIG_CREATED \\n' >&2\n`;
        await writeFile(signs, script, { mode: 0o755 });
        await checkout.git('config', 'gpg.program', signs);
        await checkout.git('config', 'commit.gpgSign', 'true');
      });
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({ code: 'GIT_FAILED' });
    });
  });
});
