import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { besideGit } from '../black-box/beside-git';
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

  it('a gate of a changed checkout, or one that changes it, does not count', async () => {
    const { machine, checkout, push, gated } = await setUp();
    await gated({ a: 'a\n' });
    const build = ['build', '--gate', '--no-push', '--no-report', '--json'];
    await checkout.commit({ 'build.sh': '#!/bin/sh\necho b > a\n' }, 'Changes');
    const run = await machine.plat(build, { cwd: checkout.folder });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('The gate does not count for record-build and exec push: Files were');
    await machine.plat(build, { cwd: checkout.folder });
    expect((await push()).json()).toMatchObject({ code: 'NOT_GATED' });
  });

  it('pushes the commit by its hash, even if a ref has that name', async () => {
    const { checkout, push, gated, originMain } = await setUp();
    const commitId = await gated({ a: 'a\n' });
    await checkout.git('switch', '--quiet', '--detach');
    const other = await checkout.commit({ other: 'other\n' }, 'Not gated');
    await checkout.git('switch', '--quiet', 'main');
    for (const ref of [`refs/tags/${commitId}`, `refs/heads/${commitId}`]) {
      await checkout.git('update-ref', ref, other);
    }
    const run = await push('--target-branch', 'main');
    expect(run.json()).toMatchObject({ commitId, upToDate: false });
    expect(await originMain()).toBe(commitId);
  });

  /** A merge of `part`, which gate-merge made onto two commits on origin's main, and whose gate has passed. */
  async function mergeSources() {
    const around = await setUp();
    const { machine, checkout, gated } = around;
    const first = await checkout.git('rev-parse', 'main');
    await gated({ second: 'second\n' });
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.branch('part', { part: 'part\n' });
    const plat = (args: string[], input?: string) => machine.plat(args, { cwd: checkout.folder, input });
    expect((await plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=part'], 'Part')).code).toBe(0);
    expect((await plat(['build', '--gate', '--no-push', '--no-report'])).code).toBe(0);
    const setBack = `git push --quiet --force origin ${first}:refs/heads/main`;
    return { ...around, first, setBack };
  }

  it.each([
    ['is set back', 'git push --quiet --force origin main~2:refs/heads/main'],
    ['is deleted', 'git --git-dir ../origin.git update-ref -d refs/heads/main'],
  ])('does not push if the target %s after it was read', async (_what, command) => {
    const { machine, checkout, originMain } = await mergeSources();
    const env = await besideGit(machine, 'push', command);
    const run = await machine.plat(['exec', 'push', '--json'], { cwd: checkout.folder, env });
    expect(run.json()).toMatchObject({ code: 'PUSH_REJECTED' });
    expect(await originMain()).not.toBe(await checkout.git('rev-parse', 'main'));
  });
});
