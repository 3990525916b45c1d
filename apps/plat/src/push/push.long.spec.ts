import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync, spawn } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { ended, Machine, said } from '../black-box/plat-process';

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

  it('Ctrl-C while origin works ends it, and the checkout is unchanged', async () => {
    const { machine, checkout, push, gated, originMain } = await setUp();
    const before = await originMain();
    const commitId = await gated({ a: 'a\n' });
    const gate = join(machine.home, 'gate');
    execFileSync('mkfifo', [gate]);
    await preReceive(checkout, `read _ < '${gate}'; exit 1`);
    const standing = await checkout.everything();
    const child = await machine.start(['exec', 'push', '--json'], { cwd: checkout.folder });
    const run = ended(child);
    await said(child, /Pushing main/);
    child.kill('SIGINT');
    expect((await run).json()).toMatchObject({ code: 'INTERRUPTED', exitCode: 1 });
    expect((await run).code).toBe(1);
    expect(await checkout.everything()).toBe(standing);
    expect(await originMain()).toBe(before);
    // Ends the hook of the interrupted push, if git has not done so.
    spawn('sh', ['-c', 'exec 3<> "$0"; echo >&3', gate], { stdio: 'ignore' });
    await preReceive(checkout, 'exit 0');
    expect((await push()).json()).toMatchObject({ commitId, upToDate: false });
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

  it('does not restore commits that were removed from the target after the merge', async () => {
    const { checkout, push, originMain, first, setBack } = await mergeSources();
    await checkout.git(...setBack.split(' ').slice(1));
    const refused = (await push()).json<{ details: { next: string } }>();
    expect(refused).toMatchObject({ code: 'PUSH_REJECTED', details: { seenCommit: first } });
    expect(refused.details.next).toContain('plat exec gate-merge');
    expect(await originMain()).toBe(first);
  });

  it('reports that origin had the commit before, with more on top of it', async () => {
    const { checkout, push, originMain } = await mergeSources();
    const commitId = await checkout.git('rev-parse', 'main');
    expect((await push()).json()).toMatchObject({ commitId, upToDate: false });
    await checkout.commit({ later: 'later\n' }, 'Later');
    await checkout.git('push', '--quiet', 'origin', 'main');
    expect((await push('--commit-id', commitId)).json()).toMatchObject({ commitId, upToDate: true });
    expect(await originMain()).toBe(await checkout.git('rev-parse', 'main'));
  });

  it('refuses a merge that is not the one of its source', async () => {
    const { checkout, push, originMain } = await mergeSources();
    const before = await originMain();
    const merge = await checkout.git('for-each-ref', '--format=%(refname)', 'refs/plat/merges');
    await checkout.git('rm', '--quiet', 'part');
    await checkout.git('commit', '--quiet', '--amend', '--allow-empty', '-m', 'Part');
    const commitId = await checkout.git('rev-parse', 'main');
    await checkout.git('update-ref', merge, commitId);
    const refused = (await push('--commit-id', commitId)).json();
    expect(refused).toMatchObject({
      ...{ code: 'CONTENT_DIVERGES', exitCode: 1 },
      details: { commitId, sourceBranch: 'part', reason: 'source_change_missing' },
    });
    expect(await originMain()).toBe(before);
  });
});
