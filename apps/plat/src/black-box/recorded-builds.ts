import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from './gate-checkout';
import { signedInMachine } from './signed-in';

export const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const OTHER_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e12';
export const SOURCE = 'feature/42-limits';
export const BUILDS = `POST /v1/reviews/${ID}/builds`;

/** Makes checkouts whose builds are recorded on a platform of the test, and removes them at the end. */
export class RecordedBuilds {
  private readonly disposals: Array<() => Promise<unknown>> = [];

  /** A machine with a checkout of a branch that has a review. */
  async setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    this.disposals.push(dispose);
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

  /** The checked-out merge of a source whose build script ends with this exit status, read from a file outside it. */
  async mergeSource() {
    const stand = await this.setUp();
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

  remove(): Promise<unknown> {
    return Promise.all(this.disposals.map((dispose) => dispose()));
  }
}

/** The bodies of the recorded builds. */
export const bodiesOf = (platform: {
  to(call: string): Array<{ body?: Record<string, unknown> | undefined }>;
}) => platform.to(BUILDS).map(({ body }) => body);
