import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const OTHER_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';
const SOURCE = 'feature/42-limits';
const BUILDS = `POST /v1/reviews/${ID}/builds`;

describe('plat review record-build, of the checked-out commit', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const checkout = await GateCheckout.create(machine);
    const sourceCommit = await checkout.branch(SOURCE, { 'limits.txt': 'limits\n' });
    const review = { name: 'Add limits', sourceBranch: SOURCE, targetBranch: 'main', status: 'READY' };
    platform.answer(`GET /v1/reviews/${ID}`, { body: review });
    platform.answer('GET /v1/reviews/merge-queue', { body: [{ reviewId: OTHER_ID }, { reviewId: ID }] });
    platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    platform.answer(BUILDS, ({ body }) => ({ body: { ...body, reviewId: ID } }));
    const at = { cwd: checkout.folder };
    const record = (...more: string[]) => machine.plat(['review', 'record-build', ID, '--json', ...more], at);
    const merge = () =>
      machine.plat(['exec', 'gate-merge', '--messages-on-stdin', `--source=${SOURCE}`], {
        ...at,
        input: 'Add limits',
      });
    const recorded = () => platform.to(BUILDS).map(({ body }) => body?.commitId);
    return { machine, platform, checkout, sourceCommit, record, merge, recorded };
  }

  describe('with --gate', () => {
    /** The checked-out merge of a source whose build script ends with this exit status, read from a file outside it. */
    async function mergeSource() {
      const stand = await setUp();
      const { machine, platform, checkout, merge } = stand;
      const status = join(machine.home, 'status');
      const script = `#!/bin/sh\nexit "$(cat '${status}')"\n`;
      await checkout.git('switch', '--quiet', SOURCE);
      await writeFile(join(checkout.folder, 'build.sh'), script, { mode: 0o755 });
      await checkout.commit({ VERSION: '1.0.0\n', 'build.sh': script }, 'Build');
      await checkout.git('push', '--quiet', 'origin', SOURCE);
      await merge();
      const plat = (...args: string[]) => machine.plat([...args, '--json'], { cwd: checkout.folder });
      const mergeCommit = await checkout.git('rev-parse', 'HEAD');
      return {
        ...stand,
        mergeCommit,
        push: () => plat('exec', 'push'),
        gate: async (exit: number) => {
          await writeFile(status, String(exit));
          return (await plat('build', '--gate', '--no-push', '--no-report')).code;
        },
        /** The platform knows of one gate run of the merge. */
        know: (verdict: string, updatedAt: Date) =>
          platform.answer('GET /v1/gate-runs', {
            body: {
              gateRuns: [{ gateRunId: ID, mergeCommit, verdict, updatedAt: updatedAt.toISOString() }],
            },
          }),
      };
    }
    const bodies = (platform: { to(call: string): Array<{ body?: Record<string, unknown> | undefined }> }) =>
      platform.to(BUILDS).map(({ body }) => body);

    it.each([
      ['nothing else', []],
      ['--vouch', ['--vouch']],
      ['--dry-run', ['--dry-run']],
    ])('after a gate that failed refuses, with %s, and names --failed and the gate', async (_what, more) => {
      const { platform, gate, record, push, mergeCommit } = await mergeSource();
      expect(await gate(0)).toBe(0);
      expect(await gate(1)).toBe(1);
      for (const named of [[], [`--commit-id=${mergeCommit}`]]) {
        const refused = (await record('--gate', ...more, ...named)).json<{ details: { next: string } }>();
        expect(refused).toMatchObject({ code: 'GATE_FAILED', details: { commitId: mergeCommit } });
        expect(refused.details.next).toMatch(/--gate --failed .*plat build --gate/);
      }
      expect(bodies(platform)).toEqual([]);
      expect((await push()).json()).toMatchObject({ code: 'GATE_FAILED' });
      expect(await gate(0)).toBe(0);
      expect((await record('--gate')).code).toBe(0);
    });

    it('after a gate that failed does not push the commit that --commit-id names', async () => {
      const { machine, checkout, gate, mergeCommit } = await mergeSource();
      expect(await gate(1)).toBe(1);
      const push = ['exec', 'push', '--json', `--commit-id=${mergeCommit}`];
      expect((await machine.plat(push, { cwd: checkout.folder })).json()).toMatchObject({
        code: 'GATE_FAILED',
      });
    });

    it('records a merge whose gate run has passed on the platform, and none whose run has failed', async () => {
      const { platform, know, gate, record } = await mergeSource();
      const [past, future] = [new Date(0), new Date(Date.now() + 3_600_000)];
      know('RUNNING', past);
      expect((await record('--gate')).json()).toMatchObject({ code: 'NOT_GATED' });
      know('FAILED', past);
      expect((await record('--gate', '--vouch')).json()).toMatchObject({ code: 'GATE_FAILED' });
      know('PASSED', past);
      expect((await record('--gate')).code).toBe(0);
      // The last gate decides, wherever it ran.
      expect(await gate(1)).toBe(1);
      expect((await record('--gate')).json()).toMatchObject({ code: 'GATE_FAILED' });
      know('PASSED', future);
      expect((await record('--gate')).code).toBe(0);
      expect(bodies(platform)).toHaveLength(2);
    });

    it('counts the command that the target names as its gate, and no command of the source', async () => {
      const stand = await setUp();
      const { machine, checkout, merge, record } = stand;
      const file = (command: string) => ({ '.plat/config.yaml': `gate:\n  command: ${command}\n` });
      await checkout.git('switch', '--quiet', 'main');
      await checkout.commit(file("'test -e limits.txt && echo tested'"), 'Gate');
      await checkout.git('push', '--quiet', 'origin', 'main');
      await checkout.git('switch', '--quiet', '--detach', 'main');
      await checkout.commit({ ...file('exit 1'), 'limits.txt': 'limits\n' }, 'Another gate');
      await checkout.git('push', '--quiet', '--force', 'origin', `HEAD:${SOURCE}`);
      await checkout.git('switch', '--quiet', 'main');
      const build = () => machine.plat(['build', '--gate', '--json'], { cwd: checkout.folder });
      // Without origin/HEAD no target is known.
      expect((await build()).json()).toMatchObject({ code: 'NOTHING_TO_BUILD' });
      await checkout.git('remote', 'set-head', 'origin', 'main');
      expect((await build()).json()).toMatchObject({ code: 'GATE_FAILED' });
      await merge();
      const tested = { stages: [], untestedImages: [], program: 'test -e limits.txt && echo tested' };
      const run = await build();
      expect(run.stderr).toContain('tested');
      expect(run.json()).toEqual({ commitId: await checkout.git('rev-parse', 'HEAD'), gate: true, tested });
      expect((await record('--gate')).code).toBe(0);
    });

    it('does not count a gate of files that are not in the commit', async () => {
      const { checkout, gate, record } = await mergeSource();
      await writeFile(join(checkout.folder, 'numbers.txt'), 'changed\n');
      expect(await gate(0)).toBe(0);
      await checkout.git('checkout', '--quiet', '--', '.');
      expect((await record('--gate')).json()).toMatchObject({ code: 'NOT_GATED' });
    });
  });
});
