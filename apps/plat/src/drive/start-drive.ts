import { join } from 'node:path';
import { environmentFolder } from '../config/environment-folder';
import type { Environment } from '../config/environment';
import {
  currentBranch,
  openCheckout,
  ORIGIN,
  repositoryOfCheckout,
  requireCleanTree,
} from '../gate/checkout';
import { gitIn, type Git } from '../gate/git';
import { leasesIn, requireUnclaimed } from '../leases/claims';
import { LeaseStore } from '../leases/lease-store';
import { whileClaimed } from '../leases/while-claimed';
import { withoutUserinfo } from '../terminal/printable';
import { drive, type DriveReport } from './drive';
import type { DriveContext } from './drive-context';
import { DriveStateFile } from './drive-state';
import { GateProcessFile } from './gate-process';

export interface DriveOrder extends Pick<
  DriveContext,
  'platform' | 'targetBranch' | 'gate' | 'forgeUrl' | 'progress'
> {
  folder: string;
  environment: Environment;
  /** The caller's own claim. */
  underLease?: string;
  once: boolean;
  interrupted: AbortSignal;
  note(line: string): void;
  output(chunk: Buffer): void;
}

/**
 * Drives under the claim of the environment, which is taken before any review is read; outside an environment, of
 * the checkout. Spec: Client, Gate drive rules, rule 1.
 *
 * @throws Failure CLAIMED, LEFT_PROCESSES, DIRTY_TREE, NOT_A_CHECKOUT, CLAIM_LOST, INTERRUPTED, and what the steps refuse with
 */
export async function startDrive(order: DriveOrder): Promise<DriveReport> {
  const { environment, folder, targetBranch, underLease } = order;
  const checkout = await openCheckout(folder);
  const gitFolder = (await checkout.run(['rev-parse', '--absolute-git-dir'])).trim();
  const stateFile = new DriveStateFile(gitFolder, targetBranch);
  const claims = environmentFolder(environment) ?? join(gitFolder, 'plat');
  return whileClaimed({
    leases: new LeaseStore(leasesIn(claims)),
    request: { scope: 'environment', holder: `plat drive --target ${targetBranch}`, pid: process.pid },
    underLease,
    work: async (leaseId, lost) => {
      await requireUnclaimed(environment, leaseId);
      const gateProcess = new GateProcessFile(gitFolder);
      // It may still write into the checkout.
      if (await gateProcess.endLeft())
        order.note('The gate of an earlier drive was still at work: it is ended.');
      const left = await stateFile.read();
      if (!left?.merging || left.merge) await requireCleanTree(checkout);
      const interrupted = AbortSignal.any([order.interrupted, lost]);
      const git = gitIn(checkout.folder, interrupted);
      const [repository, remote] = await Promise.all([
        repositoryOfCheckout(git),
        git.run(['remote', 'get-url', ORIGIN]),
      ]);
      const remoteUrl = withoutUserinfo(remote.trim());
      const context = { ...order, git, repository, remoteUrl, stateFile, gateProcess, interrupted };
      return backWhereItBegan(git, () => drive(context, order.once));
    },
  });
}

/** A drive that comes to its end leaves the branch checked out that was; one that stops leaves what it was at. */
async function backWhereItBegan<T>(git: Git, work: () => Promise<T>): Promise<T> {
  const before = await currentBranch(git);
  const result = await work();
  if (before !== undefined && before !== (await currentBranch(git)))
    await git.run(['checkout', '--quiet', before]);
  return result;
}
