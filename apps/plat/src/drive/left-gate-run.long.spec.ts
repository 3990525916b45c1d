import { chmod, rename, rm, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { DriveBench, REVIEW_ID } from '../black-box/drive-bench';
import { checkoutFolder } from '../checkout/checkout-lock';
import { gitIn } from '../git/git';
import { leasesIn } from '../leases/claims';
import { heldRunText, nextOfHeldRun } from '../reviews/held-run';
import { holderOf } from './holder';
import { findHeldRun } from './left-gate-run';

const GATE_RUN_ID = '0198f2a4-9999-7c3e-9d0b-5b1f0c9a2e11';
const SINCE = '2026-01-02T03:04:05.000Z';
const TAKE_OVER = 'plat drive --target-branch main --take-over';

describe('a gate run without a verdict', () => {
  let bench: DriveBench;
  beforeEach(async () => (bench = await DriveBench.set()));
  afterEach(() => bench.strike());

  const own = () => checkoutFolder(gitIn(bench.checkout.folder));
  /** The run as the platform has it, and what is found about it from a folder. */
  async function find(folder: string, facts: { holder?: string | undefined; verdict?: string } = {}) {
    const run = {
      gateRunId: GATE_RUN_ID,
      targetBranch: 'main',
      createdAt: SINCE,
      verdict: 'RUNNING',
      ...facts,
    };
    bench.platform.answer(`GET /v1/gate-runs/${GATE_RUN_ID}`, { body: run });
    bench.platform.answer('GET /v1/gate-runs', { body: { gateRuns: [run] } });
    const { api } = bench.context().platform;
    const found = await findHeldRun(api, folder, { gateRunId: GATE_RUN_ID });
    expect(await findHeldRun(api, folder, { reviewId: REVIEW_ID })).toEqual(found);
    return found && { found, text: heldRunText(found, String), next: nextOfHeldRun(found, REVIEW_ID) };
  }

  it('of this checkout has a drive that has ended if no process claims the checkout', async () => {
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID }));
    expect(await find(bench.checkout.folder)).toMatchObject({
      found: { drive: 'ENDED', isHere: true },
      text: `the drive of this checkout that began the gate run ${SINCE} has ended without a verdict`,
      next: 'plat drive --target-branch main',
    });
    await leasesIn(await own()).take({ scope: 'environment', holder: 'plat drive', pid: process.pid });
    expect(await find(bench.checkout.folder)).toMatchObject({
      found: { drive: 'RUNNING', isHere: true },
      next: `plat review wait ${REVIEW_ID}`,
    });
  });

  it('of another checkout of this machine is looked up there, by the name of its holder', async () => {
    const { folder } = bench.checkout;
    const holder = await holderOf('me', folder, await own());
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID }));
    expect(await find(bench.home, { holder })).toMatchObject({
      found: { drive: 'ENDED', folder },
      text: `the drive in ${folder} that began the gate run ${SINCE} has ended without a verdict`,
      next: TAKE_OVER,
    });
    await leasesIn(await own()).take({ scope: 'environment', holder: 'plat drive', pid: process.pid });
    expect(await find(bench.home, { holder })).toMatchObject({ found: { drive: 'RUNNING', folder } });
  });

  it('of another machine, of a checkout that is gone or a copy, or of a person is not judged', async () => {
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID }));
    const known = await holderOf('me', bench.checkout.folder, await own());
    const holders = [
      known.replace(`@${hostname()}:`, '@elsewhere:'),
      known.replace(bench.checkout.folder, '/nowhere'),
      known.replace(/\(.*\)/, '(0123456789abcdef)'),
      undefined,
    ];
    for (const holder of holders) {
      const found = await find(bench.home, { holder });
      expect(found).toMatchObject({
        found: { drive: 'UNKNOWN' },
        text: expect.stringContaining('whether that drive still runs cannot be seen from here') as unknown,
        next: expect.stringContaining(`is gone: ${TAKE_OVER}`) as unknown,
      });
    }
  });

  it.each<[string, (own: string) => Promise<unknown>]>([
    ['in a folder into which others may write', (folder) => chmod(folder, 0o777)],
    ['below one into which others may write', (folder) => chmod(join(folder, 'drive'), 0o777)],
    ['in a folder that is a link', (folder) => replaceByLink(folder)],
    ['below one that is a link', (folder) => replaceByLink(join(folder, 'drive'))],
  ])('is not judged by what is written %s', async (_what, change) => {
    const folder = await own();
    const holder = await holderOf('me', bench.checkout.folder, folder);
    await bench.stateFile.write(bench.state({ gateRunId: GATE_RUN_ID }));
    await change(folder);
    for (const place of [bench.home, bench.checkout.folder]) {
      expect(await find(place, { holder })).toMatchObject({ found: { drive: 'UNKNOWN' } });
    }
  });

  it('is not judged by a pipe, which is not waited for', async () => {
    const holder = await holderOf('me', bench.checkout.folder, await own());
    const pipe = join(await own(), 'checkout-id');
    await rm(pipe);
    await promisify(execFile)('mkfifo', [pipe]);
    expect(await find(bench.home, { holder })).toMatchObject({ found: { drive: 'UNKNOWN' } });
  });

  async function replaceByLink(folder: string): Promise<void> {
    await rename(folder, `${folder}-moved`);
    await symlink(`${folder}-moved`, folder);
  }

  it('is none if it was decided, or if the caller may not read it', async () => {
    expect(await find(bench.checkout.folder, { verdict: 'PASSED' })).toBeUndefined();
    const { api } = bench.context().platform;
    const refused = { status: 403, body: { code: 'FORBIDDEN', message: 'No.' } };
    bench.platform.answer(`GET /v1/gate-runs/${GATE_RUN_ID}`, refused);
    expect(await findHeldRun(api, bench.home, { gateRunId: GATE_RUN_ID })).toBeUndefined();
  });
});
