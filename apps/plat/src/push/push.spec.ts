import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';

describe('plat exec push', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const push = (...args: string[]) =>
      machine.plat(['exec', 'push', '--json', ...args], { cwd: checkout.folder });
    /** A merge whose gate has passed: `plat build --gate`, with the project's build script. */
    const commitGated = async (files: Record<string, string>) => {
      await checkout.commit({ ...files, VERSION: '1.0.0\n', 'build.sh': '#!/bin/sh\nexit 0\n' }, 'Merge');
      await checkout.git('update-index', '--chmod=+x', 'build.sh');
      await chmod(join(checkout.folder, 'build.sh'), 0o755);
      await checkout.git('commit', '--quiet', '--amend', '--no-edit');
      const run = await machine.plat(['build', '--gate', '--no-push', '--no-report', '--json'], {
        cwd: checkout.folder,
      });
      expect(run.code).toBe(0);
      return checkout.git('rev-parse', 'HEAD');
    };
    const originMain = () =>
      checkout.git('ls-remote', checkout.origin, 'refs/heads/main').then((line) => line.split('\t')[0]);
    return { machine, checkout, push, gated: commitGated, originMain };
  }

  async function preReceive(checkout: GateCheckout, script: string): Promise<void> {
    await mkdir(join(checkout.origin, 'hooks'), { recursive: true });
    const hook = join(checkout.origin, 'hooks', 'pre-receive');
    await writeFile(hook, `#!/bin/sh\n${script}\n`);
    await chmod(hook, 0o755);
  }

  it('pushes the target branch and returns the full hash', async () => {
    const { push, gated, originMain } = await setUp();
    const commitId = await gated({ a: 'a\n' });
    const run = await push('--target-branch', 'main');
    expect(run.code).toBe(0);
    expect(run.json()).toEqual({ targetBranch: 'main', commitId, upToDate: false, remoteMessages: [] });
    expect(await originMain()).toBe(commitId);
  });

  it('reports that there is nothing to push', async () => {
    const { push, gated } = await setUp();
    await gated({ a: 'a\n' });
    await push();
    expect((await push()).json()).toMatchObject({ targetBranch: 'main', upToDate: true });
  });

  it('fails if pushes to origin go to another repository than fetches come from', async () => {
    const { machine, checkout, push, gated, originMain } = await setUp();
    const before = await originMain();
    const fork = join(machine.home, 'fork.git');
    await checkout.git('clone', '--quiet', '--bare', checkout.origin, fork);
    await checkout.git('remote', 'set-url', '--push', 'origin', fork);
    const commitId = await gated({ a: 'a\n' });
    // The second time, the fork has the commit already.
    for (let times = 0; times < 2; times += 1) {
      expect((await push()).json()).toMatchObject({
        code: 'PUSHED_ELSEWHERE',
        details: { commitId, seenCommit: before, pushAddresses: [fork] },
      });
    }
    expect(await originMain()).toBe(before);
    await checkout.git('remote', 'set-url', '--push', 'origin', `file://${checkout.origin}`);
    expect((await push()).json()).toMatchObject({ commitId, upToDate: false });
    expect(await originMain()).toBe(commitId);
  });

  it('surfaces the bypass notice of the forge', async () => {
    const { checkout, push, gated } = await setUp();
    await preReceive(checkout, 'echo "Bypassed rule violations for refs/heads/main:" >&2');
    await gated({ a: 'a\n' });
    const run = await push();
    expect(run.json()).toMatchObject({ remoteMessages: ['Bypassed rule violations for refs/heads/main:'] });
    expect(run.stderr).toContain('Bypassed rule violations');
  });

  it('surfaces the rejection of the forge and fails', async () => {
    const { checkout, push, gated, originMain } = await setUp();
    const before = await originMain();
    await preReceive(checkout, 'echo "GH013: Repository rule violations found" >&2; exit 1');
    await gated({ a: 'a\n' });
    const run = await push();
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code: 'PUSH_REJECTED', exitCode: 1 });
    expect(run.json().message).toContain('GH013: Repository rule violations found');
    // A commit that a rule declined is declined again after another merge.
    expect(run.json<{ details: { next: string } }>().details.next).toMatch(
      /^follow the message of origin above/,
    );
    expect(await originMain()).toBe(before);
  });

  it('never forces, and is rejected if the target has moved', async () => {
    const { checkout, push, gated, originMain } = await setUp();
    const base = await checkout.git('rev-parse', 'HEAD');
    const theirs = await checkout.commit({ theirs: 't\n' }, 'Theirs');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.git('reset', '--quiet', '--hard', base);
    await gated({ ours: 'o\n' });
    const refused = (await push()).json<{ details: { next: string } }>();
    expect(refused).toMatchObject({ code: 'PUSH_REJECTED' });
    expect(refused.details.next).toContain('plat exec gate-merge');
    expect(await originMain()).toBe(theirs);
  });

  it.each([
    ['another branch', ['switch', '--quiet', '--create', 'other']],
    ['no branch', ['switch', '--quiet', '--detach']],
  ])('refuses while %s is checked out', async (_what, args) => {
    const { checkout, push } = await setUp();
    await checkout.git(...args);
    const run = await push('--target-branch', 'main');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code: 'BRANCH_MISMATCH' });
  });

  it('refuses a commit without a passed gate here, and one on top of a gated merge', async () => {
    const { checkout, push, gated, originMain } = await setUp();
    const before = await originMain();
    await checkout.commit({ a: 'a\n' }, 'Mine');
    expect((await push()).json()).toMatchObject({ code: 'NOT_GATED' });
    const gatedCommit = await gated({ b: 'b\n' });
    const commitId = await checkout.commit({ c: 'c\n' }, 'Later');
    expect((await push()).json()).toMatchObject({ code: 'NOT_GATED', details: { commitId, gatedCommit } });
    expect(await originMain()).toBe(before);
  });

  it('pushes the named commit, independent of the checked-out one', async () => {
    const { checkout, push, originMain } = await setUp();
    const commitId = await checkout.commit({ a: 'a\n' }, 'Gated elsewhere');
    await checkout.git('switch', '--quiet', '--create', 'other');
    await checkout.commit({ b: 'b\n' }, 'Mine');
    for (const [named, code] of [
      ['main', 'INVALID_COMMIT_ID'],
      ['c'.repeat(40), 'NO_SUCH_COMMIT'],
    ]) {
      expect((await push('--commit-id', named!)).json()).toMatchObject({ code });
    }
    const run = await push('--target-branch', 'main', '--commit-id', commitId);
    expect(run.json()).toMatchObject({ commitId, upToDate: false });
    expect(await originMain()).toBe(commitId);
  });

  it('creates no branch, neither for a wrong name nor for one that was deleted on origin', async () => {
    const { checkout, push, gated } = await setUp();
    const commitId = await gated({ a: 'a\n' });
    const branches = () => checkout.git('ls-remote', '--heads', checkout.origin);
    const before = await branches();
    const misnamed = await push('--target-branch', 'mian', '--commit-id', commitId);
    expect(misnamed.json()).toMatchObject({ code: 'NO_SUCH_TARGET' });
    expect(await branches()).toBe(before);
    await checkout.git('--git-dir', checkout.origin, 'update-ref', '-d', 'refs/heads/main');
    expect((await push('--target-branch', 'main')).json()).toMatchObject({ code: 'NO_SUCH_TARGET' });
    expect(await branches()).toBe('');
  });

  it('touches nothing under --dry-run', async () => {
    const { push, gated, originMain } = await setUp();
    const before = await originMain();
    const commitId = await gated({ a: 'a\n' });
    const run = await push('--dry-run');
    expect(run.json<{ plan: string[] }>().plan).toEqual([
      expect.stringContaining(`${commitId}^0:refs/heads/main`),
    ]);
    expect(await originMain()).toBe(before);
  });
});
