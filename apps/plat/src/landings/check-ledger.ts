import { whoami } from '@plat/api-client';
import { defaultBranch, openCheckout } from '../checkout/checkout';
import { requireBranchName } from '../git/branches';
import type { Git } from '../git/git';
import { ORIGIN } from '../origin/origin';
import type { Platform } from '../platform/platform';
import { demandNoneRemembered } from '../sealed-log/checkpoint-memory';
import { readKeys } from '../sealed-log/log-keys';
import { openPlatformLog } from '../sealed-log/platform-log';
import { demandExport } from '../sealed-log/verify-export';
import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { platformAcquaintances, sealedAcquaintances } from './acquaintances';
import { compareLandings } from './compare-landings';
import { readExportedLandings } from './exported-landings';
import type { LedgerCheck } from './ledger-row';
import { offline, readTrackedDefaultBranch } from './offline';
import { withoutOverdue } from './overdue-receipts';
import { platformLandings } from './platform-landings';
import { EMPTY_LOG, type SealedLandings } from './sealed-landing';
import { requireSince } from './since';
import { repositoryOf, type TargetCommit, type TargetHistory, targetHistory } from './target-history';

/** The input of `plat ledger check`. */
export interface LedgerToCheck {
  targetBranch: string | undefined;
  /** Name of a remote; origin unless given. */
  remote: string | undefined;
  since: string | undefined;
  /** Trusted keys of the log, as texts or files. */
  keys: readonly string[];
  configFolder: string;
  interrupted: AbortSignal;
  progress: Progress;
}

/** The result of a check, and what was compared. */
export interface LedgerComparison {
  check: LedgerCheck;
  history: TargetHistory;
  sealed: SealedLandings;
}

/** Compares the branch of the clone at hand with the platform's log. @throws Failure */
export async function checkLedger({ api }: Platform, asked: LedgerToCheck): Promise<LedgerComparison> {
  const { since, configFolder, interrupted, progress } = asked;
  const { pinned, git } = await begin(asked);
  const calls = api.interruptedBy(interrupted);
  // The log first: a landing that comes meanwhile is a commit that is not sealed yet, and no receipt without its commit.
  const checkpoint = await openPlatformLog(calls, { configFolder, pinned }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'NOTHING_SEALED') throw error;
    return undefined;
  });
  if (!checkpoint) {
    await demandNoneRemembered(configFolder, () => whoami(calls).then(({ tenantId }) => tenantId));
  }
  const sealed = checkpoint
    ? await progress('Reading the log', platformLandings(calls, checkpoint))
    : EMPTY_LOG;
  const history = await progress('Reading the history', readHistory(git, asked));
  const known = platformAcquaintances(calls, history, sealed);
  const acquaintances = async (commits: readonly TargetCommit[]) =>
    withoutOverdue(configFolder, history, await known(commits));
  const comparing = compareLandings({ history, sealed, since, acquaintances });
  return { check: await progress('Comparing', comparing), history, sealed };
}

/** The same with an exported log and what the clone has of the branch: no server is contacted. @throws Failure */
export async function checkExportedLedger(folder: string, asked: LedgerToCheck): Promise<LedgerComparison> {
  const { since, configFolder, interrupted, progress } = asked;
  const { pinned: keys, git } = await begin(asked);
  await demandExport(folder);
  const history = await progress('Reading the history', readHistory(git, asked, OFFLINE));
  const sealed = await progress(
    'Verifying the log',
    readExportedLandings({ folder, keys, configFolder, interrupted }),
  );
  const acquaintances = sealedAcquaintances(history, sealed);
  const comparing = compareLandings({ history, sealed, since, acquaintances });
  return { check: await progress('Comparing', comparing), history, sealed };
}

/** Refuses at once what can be refused before a log or a history is read. */
async function begin({ since, keys, remote = ORIGIN, targetBranch, interrupted }: LedgerToCheck) {
  if (targetBranch !== undefined) requireBranchName(targetBranch, '--target-branch');
  const pinned = readKeys(keys);
  const git = await openCheckout(process.cwd(), interrupted);
  await requireSince(git, since);
  await repositoryOf(git, remote);
  return { pinned, git };
}

const OFFLINE = true;

async function readHistory(
  checkout: Git,
  { remote = ORIGIN, ...asked }: LedgerToCheck,
  isOffline = false,
): Promise<TargetHistory> {
  const git = isOffline ? offline(checkout) : checkout;
  const ownBranch = isOffline ? readTrackedDefaultBranch : defaultBranch;
  const targetBranch = asked.targetBranch ?? (await ownBranch(git, remote));
  return targetHistory(git, { isOffline, remote, targetBranch });
}
