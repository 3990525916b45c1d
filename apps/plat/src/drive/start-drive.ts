import { withoutCredentials } from '@plat/remote';
import { holderName } from '../config/orchestrator';
import type { Environment } from '../environment';
import { openCheckout, repositoryOfCheckout, requireCleanTree } from '../gate/checkout';
import { afterOthers, checkoutFolder } from '../gate/checkout-lock';
import { type Git, gitIn } from '../gate/git';
import { resetKilledCheckout } from '../gate/killed-checkout';
import { ORIGIN } from '../gate/origin';
import { requireReadableByService } from '../gate/readable-by-service';
import { knownEnvironmentLeases, leasesIn, requireUnclaimed } from '../leases/claims';
import { whileClaimed } from '../leases/while-claimed';
import { interruptedPlatform } from '../session/platform';
import { backWhereItBegan } from './back-where-it-began';
import { drive, type DriveReport } from './drive';
import type { DriveContext } from './drive-context';
import { DriveStateFile } from './drive-state';
import { GateProcessFile } from './gate-process';
import { giveUp } from './give-up';
import { holderOf } from './holder';
import { resetKilledMerge } from './killed-merge';
import { withWaysOut } from './unverified-landing';

export interface DriveOrder extends Pick<
  DriveContext,
  'platform' | 'targetBranch' | 'gate' | 'forgeUrl' | 'recording' | 'progress' | 'takeOver'
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
 * Drives under the claim of the environment, taken before any review is read, and of the checkout.
 * Spec: Client, Gate drive rules, rule 1.
 *
 * @throws Failure CLAIMED, LEFT_PROCESSES, DIRTY_TREE, NOT_A_CHECKOUT, CLAIM_LOST, INTERRUPTED, and the failures of the
 *   steps
 */
export async function startDrive(order: DriveOrder): Promise<DriveReport> {
  const { environment, folder, targetBranch, underLease, note } = order;
  const checkout = await openCheckout(folder, order.interrupted);
  const own = await checkoutFolder(checkout);
  const around = knownEnvironmentLeases(environment);
  const holder = `plat drive --target-branch ${targetBranch}`;
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
  const { targetBranch, interrupted, note } = order;
  const gateProcess = new GateProcessFile(own);
  // A gate that still runs could write into the checkout.
  if (await gateProcess.endLeft()) note('The gate of an earlier drive was still at work: it is ended.');
  const stateFile = new DriveStateFile(own, targetBranch);
  await resetKilledCheckout(checkout, note);
  await resetKilledMerge(checkout, stateFile, note);
  await requireCleanTree(checkout);
  const git = gitIn(checkout.folder, interrupted);
  const [repository, remote] = await Promise.all([
    repositoryOfCheckout(git),
    git.run(['remote', 'get-url', ORIGIN]),
  ]);
  const context: DriveContext = {
    ...order,
    git,
    repository,
    stateFile,
    gateProcess,
    remoteUrl: withoutCredentials(remote),
    holder: await holderOf(holderName(order.environment), checkout.folder, own),
    // Pending calls end with the drive; the next one finds their effects.
    platform: interruptedPlatform(order.platform, interrupted),
  };
  if (order.giveUp) return backWhereItBegan(context, () => giveUp(context));
  await requireReadableByService(context.platform, context.remoteUrl, targetBranch);
  return backWhereItBegan(context, () =>
    drive(context, order.once).catch(async (error: unknown) => {
      throw await withWaysOut(context, error);
    }),
  );
}
