import { type ApiClient, type GateRun, getGateRun, listGateRuns } from '@plat/api-client';
import { openCheckout } from '../checkout/checkout';
import { checkoutFolder } from '../checkout/checkout-lock';
import { apiFailure } from '../failures/api-failure';
import { leasesIn } from '../leases/claims';
import type { HeldRun } from '../reviews/held-run';
import { Failure } from '../terminal/failure';
import { DriveStateFile } from './drive-state';
import { isCheckoutOf, placeOfHolder } from './holder';
import { areOwnRecords } from './own-records';

/** Answers that mean that the caller cannot see the gate run. */
const UNSEEN: readonly string[] = ['NOT_FOUND', 'FORBIDDEN', 'METHOD_NOT_ALLOWED'];

/**
 * Finds the gate run without a verdict that holds a review, and what became of its drive.
 *
 * @param folder the checkout at hand
 * @returns undefined if no gate runs, and if the caller may not read gate runs
 */
export async function findHeldRun(
  api: ApiClient,
  folder: string,
  asked: { gateRunId: string } | { reviewId: string },
): Promise<HeldRun | undefined> {
  try {
    const run =
      'gateRunId' in asked ? await getGateRun(api, asked) : await findRunningRun(api, asked.reviewId);
    return run?.verdict === 'RUNNING' ? await describeRun(folder, run) : undefined;
  } catch (error) {
    if (UNSEEN.includes(apiFailure(error)?.code ?? '')) return undefined;
    throw error;
  }
}

async function findRunningRun(api: ApiClient, reviewId: string): Promise<GateRun | undefined> {
  const { gateRuns } = await listGateRuns(api, { query: { reviewId, status: 'RUNNING' } });
  return gateRuns.find(({ holder }) => holder !== undefined) ?? gateRuns[0];
}

/** The drive is looked for in the checkout at hand, then in the one that the holder's name says. */
async function describeRun(folder: string, run: GateRun): Promise<HeldRun> {
  const { gateRunId, targetBranch, holder, createdAt: since } = run;
  const facts = { gateRunId, targetBranch, holder, since };
  const here = await lifeIn(folder, run);
  if (here) return { ...facts, drive: here, folder, isHere: true };
  const other = placeOfHolder(holder ?? '');
  const there = other && (await lifeIn(other.folder, run, other.id));
  return there ? { ...facts, drive: there, folder: other.folder } : { ...facts, drive: 'UNKNOWN' };
}

/**
 * Whether the drive of a folder's checkout that began the gate run is at work. A drive claims its checkout as long as it
 * runs; after a crash the platform goes on to show the run as RUNNING, until another drive decides it.
 *
 * @param id of the checkout that is meant
 * @returns undefined outside a checkout, if another user may have written about its drives, and for a gate run that
 * another checkout began
 */
async function lifeIn(
  folder: string,
  { targetBranch, gateRunId }: Pick<GateRun, 'targetBranch' | 'gateRunId'>,
  id?: string,
): Promise<'RUNNING' | 'ENDED' | undefined> {
  try {
    const own = await checkoutFolder(await openCheckout(folder));
    if (!(await areOwnRecords(own))) return undefined;
    if (id !== undefined && !isCheckoutOf(own, id)) return undefined;
    const state = await new DriveStateFile(own, targetBranch).read();
    if (state?.gateRunId !== gateRunId || state.verdict) return undefined;
    const leases = await leasesIn(own).list();
    return leases.some(({ scope }) => scope !== undefined) ? 'RUNNING' : 'ENDED';
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
