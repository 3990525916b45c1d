import { join } from 'node:path';
import { withoutCredentials } from '@plat/remote';
import { openCheckout, repositoryOfCheckout } from '../checkout/checkout';
import { afterOthers, checkoutFolder } from '../checkout/checkout-lock';
import { holderName } from '../config/orchestrator';
import type { Environment } from '../environment';
import { requireReadiness } from '../gate/readiness';
import { type Git, gitIn } from '../git/git';
import { knownEnvironmentLeases, leasesIn, requireUnclaimed } from '../leases/claims';
import { whileClaimed } from '../leases/while-claimed';
import { ORIGIN } from '../origin/origin';
import { requireReadableByService } from '../origin/readable-by-service';
import { interruptedPlatform } from '../platform/platform';
import { openDriveWorktree, requireNoDriveWorktree } from '../worktree/drive-worktree';
import { resetKilledCheckout, unlockWorktree } from '../worktree/killed-checkout';
import { drive, type DriveReport } from './drive';
import { driveCommand } from './drive-command';
import type { DriveContext } from './drive-context';
import { type DriveLoop, takeStep } from './drive-loop';
import { DriveStateFile } from './drive-state';
import { GateProcessFile } from './gate-process';
import { giveUp } from './give-up';
import { holderOf } from './holder';
import { resetKilledMerge } from './killed-merge';
import { withSlotKept } from './slot-kept';
import { withWorktreeGivenUp } from './tidy-worktree';
import { withWaysOut } from './unverified-landing';

export interface DriveOrder extends Pick<
  DriveContext,
  | 'platform'
  | 'targetBranch'
  | 'repeatedFlags'
  | 'gate'
  | 'gateTime'
  | 'forgeUrl'
  | 'recording'
  | 'refuseUndone'
  | 'progress'
  | 'takeOver'
> {
  folder: string;
  environment: Environment;
  /** The caller's own claim of the environment. */
  underLease?: string | undefined;
  once: boolean;
  /** Whether to put the earlier drive's review back instead of driving. */
  giveUp: boolean;
  interrupted: AbortSignal;
  note(line: string): void;
  output(chunk: Buffer): void;
}

/**
 * Drives under the claim of the environment, taken before any review is read, and of the checkout, in a worktree of its
 * own. Whether a merge can be made, signed and pushed is examined before any review is read.
 * Spec: Client, Gate drive rules, rule 1.
 *
 * @throws Failure CLAIMED, LEFT_PROCESSES, NOT_A_CHECKOUT, CLAIM_LOST, INTERRUPTED, those of `requireReadiness`, and the
 *   failures of the steps
 */
export async function startDrive(order: DriveOrder): Promise<DriveReport> {
  const { environment, folder, targetBranch, underLease, note } = order;
  const checkout = await openCheckout(folder, order.interrupted);
  await requireNoDriveWorktree(checkout);
  const own = await checkoutFolder(checkout);
  const around = knownEnvironmentLeases(environment);
  const holder = driveCommand({ targetBranch });
  const request = { scope: 'environment', holder, pid: process.pid } as const;
  const ofCheckout = (lost: AbortSignal, claim: { underLease?: string; around?: string }) =>
    whileClaimed({
      leases: leasesIn(own),
      request,
      underLease: claim.underLease,
      work: async (leaseId, lostToo) => {
        const interrupted = AbortSignal.any([order.interrupted, lost, lostToo]);
        await requireUnclaimed([leasesIn(own)], leaseId);
        if (around !== undefined) await requireUnclaimed([around], claim.around);
        await afterOthers(checkout, { interrupted, note });
        return driveClaimed({ ...order, interrupted }, { checkout, own });
      },
    });
  if (around === undefined) return ofCheckout(order.interrupted, { underLease });
  return whileClaimed({
    leases: around,
    request,
    underLease,
    work: (leaseId, lost) => ofCheckout(lost, { around: leaseId }),
  });
}

interface ClaimedCheckout {
  checkout: Git;
  /** The client's folder of the checkout. */
  own: string;
}

async function driveClaimed(order: DriveOrder, { checkout, own }: ClaimedCheckout): Promise<DriveReport> {
  const { targetBranch, interrupted, note, environment } = order;
  const gateProcess = new GateProcessFile(own);
  // A gate that still runs could write into the worktree.
  if (await gateProcess.endLeft()) note('The gate of an earlier drive was still at work: it is ended.');
  const around = gitIn(checkout.folder, interrupted);
  const stateFile = new DriveStateFile(own, targetBranch);
  const [repository, remote] = await Promise.all([
    repositoryOfCheckout(around),
    around.run(['remote', 'get-url', ORIGIN]),
  ]);
  const loop: DriveLoop = {
    ...order,
    git: around,
    asideFolder: join(own, 'set-aside'),
    repository,
    stateFile,
    gateProcess,
    remoteUrl: withoutCredentials(remote),
    holder: await holderOf(holderName(environment), checkout.folder, own),
    // Pending calls end with the drive; the next one finds their effects.
    platform: interruptedPlatform(order.platform, interrupted),
  };
  // Works without the worktree, so that no state of it can keep a review at MERGE.
  if (order.giveUp) return giveUp(loop);
  const git = await openReady(loop, environment);
  return drive({ ...loop, git }, order.once).catch(async (error: unknown) => {
    throw await withWaysOut(loop, error);
  });
}

/** Opens the worktree, after what a drive needs was examined. A review that an earlier drive took keeps its slot. */
async function openReady(loop: DriveLoop, { configFolder }: Environment): Promise<Git> {
  const { git: around, targetBranch, stateFile, note, platform, remoteUrl } = loop;
  try {
    await requireReadiness(around, { targetBranch, configFolder });
    await requireReadableByService(platform, remoteUrl, targetBranch);
    const git = await openDriveWorktree(around, { configFolder, note });
    await resetKilled({ ...loop, git });
    return git;
  } catch (error) {
    const left = await stateFile.read();
    throw left?.apiUrl === platform.alias.apiUrl ? withSlotKept(loop, left, error) : error;
  }
}

/** Resets in the worktree what a killed drive, or a killed git in its gate, left unfinished. */
async function resetKilled(loop: DriveLoop): Promise<void> {
  const { git, stateFile, note } = loop;
  try {
    await unlockWorktree(git);
    await resetKilledCheckout(git, note);
    const left = await stateFile.read();
    if (left) await takeStep(loop, resetKilledMerge, left);
  } catch (error) {
    throw withWorktreeGivenUp(git, error);
  }
}
