import { spawn } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { builtPlat, ended, PATH } from '../black-box/plat-process';
import { checkoutOf, REPOSITORY, review, reviewStands } from '../black-box/review-stand';

describe('the review commands in a checkout', () => {
  const setUp = reviewStands();

  describe('derive the repository from the checkout', () => {
    it.each([
      ['queue list', ['review', 'queue', 'list']],
      ['queue advance', ['review', 'queue', 'advance', '--target-branch=main']],
      ['create', ['review', 'create', '--name=N', '--target-branch=main', '--source-branch=s']],
    ])('%s names it canonically, without the password of the remote', async (_what, args) => {
      const bundle = await setUp();
      const { plat } = await checkoutOf(bundle);
      await plat(...args);
      const [, call] = bundle.platform.requests;
      const named =
        call?.body?.repository ?? new URL(call!.url, bundle.platform.url).searchParams.get('repository');
      expect(named).toBe(REPOSITORY);
    });

    it.each([
      ['outside of a checkout', [], 'NOT_A_CHECKOUT'],
      ['if origin names none', ['../relative'], 'NO_REPOSITORY'],
    ])('and refuse %s', async (_what, [origin], code) => {
      const bundle = await setUp();
      const { checkout, plat } = await checkoutOf(bundle);
      if (origin) await checkout.git('remote', 'set-url', 'origin', origin);
      const run = origin
        ? await plat('review', 'queue', 'list')
        : await bundle.plat('review', 'queue', 'list');
      expect(run.json()).toMatchObject({ code, exitCode: 1 });
    });

    it('create proposes the branch that is checked out, by the name of its last commit', async () => {
      const bundle = await setUp();
      const { checkout, plat } = await checkoutOf(bundle);
      await checkout.git('switch', '--quiet', '--create', 'feature/42-limits');
      await checkout.commit({ a: 'a\n' }, 'Add rate limits\n\nCloses #42');
      await plat('review', 'create', '--target-branch=main');
      expect(bundle.platform.to('POST /v1/reviews')[0]?.body).toEqual({
        name: 'Add rate limits',
        sourceBranch: 'feature/42-limits',
        targetBranch: 'main',
        repository: REPOSITORY,
      });
      expect((await plat('review', 'create', '--target-branch=feature/42-limits')).json()).toMatchObject({
        code: 'SAME_BRANCH',
      });
    });
  });

  it('gate-merge takes the names of the live reviews as messages', async () => {
    const bundle = await setUp();
    const checkout = await GateCheckout.create(bundle.machine);
    await checkout.branch('feature/42-limits', { a: 'a\n' });
    await checkout.branch('bug/7-clock', { b: 'b\n' });
    const reviews = [
      review({ name: 'Closed long ago', status: 'CLOSED' }),
      review({ name: 'Add limits', status: 'MERGE' }),
      review({ name: 'Fix the clock', sourceBranch: 'bug/7-clock' }),
    ];
    const gate = (...sources: string[]) =>
      bundle.machine.plat(['exec', 'gate-merge', '--json', ...sources.map((s) => `--source=${s}`)], {
        cwd: checkout.folder,
      });
    bundle.platform.answer('GET /v1/reviews', { body: reviews.slice(0, 2) });
    const before = await checkout.git('rev-parse', 'main');
    expect((await gate('feature/42-limits', 'bug/7-clock')).json()).toMatchObject({
      code: 'NO_MESSAGE',
      details: { sources: ['bug/7-clock'] },
    });
    expect(await checkout.git('rev-parse', 'main')).toBe(before);
    bundle.platform.answer('GET /v1/reviews', { body: reviews });
    expect((await gate('feature/42-limits', 'gone', 'bug/7-clock')).code).toBe(0);
    expect(await checkout.git('log', '-2', '--format=%s')).toBe('Fix the clock\nAdd limits');
  });

  it('gate-merge leaves stdin to the script in which it runs, unless a flag says to read it', async () => {
    const { machine, platform } = await setUp();
    const checkout = await GateCheckout.create(machine);
    const branches = ['feature/1-a', 'feature/2-b'];
    for (const [at, branch] of branches.entries()) await checkout.branch(branch, { [`${at}`]: 'x\n' });
    platform.answer('GET /v1/reviews', {
      body: branches.map((sourceBranch) => review({ name: `Name of ${sourceBranch}`, sourceBranch })),
    });
    const gate = `'${process.execPath}' '${await builtPlat()}' exec gate-merge --target-branch main --source "$branch"`;
    const loop = `while read -r branch; do ${gate} >&2 && git log -1 --format=%s; done`;
    const child = spawn('/bin/sh', ['-c', loop], {
      cwd: checkout.folder,
      env: { PATH, HOME: machine.home },
      stdio: 'pipe',
    });
    child.stdin.end(`${branches.join('\n')}\n`);
    const { stdout } = await ended(child);
    expect(stdout.trim().split('\n')).toEqual(branches.map((branch) => `Name of ${branch}`));
  });
});
