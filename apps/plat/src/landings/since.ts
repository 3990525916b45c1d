import { commitOf } from '../checkout/checkout';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { timeOf } from '../trail/trail-selection';
import type { SealedLanding } from './sealed-landing';
import type { TargetHistory } from './target-history';

/** Where the check begins. */
export interface Beginning {
  /** How many commits of the first-parent history are judged, from the newest. */
  commits: number;
  /** Whether a receipt without a commit in the history is judged. */
  has(landing: SealedLanding): boolean;
}

/**
 * Refuses what can be no beginning, before a log or a history is read.
 *
 * @throws Failure INVALID_TIME
 */
export async function requireSince(git: Git, text: string | undefined): Promise<void> {
  if (text !== undefined && timeOf(text, new Date()) === undefined) await commitSince(git, text);
}

/**
 * Returns where the check begins according to `--since`: after a time, or else after a commit.
 *
 * @returns undefined without a text
 * @throws Failure INVALID_TIME, NOT_IN_HISTORY
 */
export async function findBeginning(
  history: TargetHistory,
  text: string | undefined,
): Promise<Beginning | undefined> {
  if (text === undefined) return undefined;
  const time = timeOf(text, new Date());
  return time === undefined ? sinceCommit(history, text) : sinceTime(history, time);
}

const COMMIT = /^[0-9a-f]{7,64}$/;

async function sinceCommit({ git, places, targetBranch }: TargetHistory, text: string): Promise<Beginning> {
  const commitId = await commitSince(git, text);
  const place = commitId === undefined ? undefined : places.get(commitId);
  if (place === undefined) {
    throw new Failure(
      'NOT_IN_HISTORY',
      `--since ${text} is no commit of ${targetBranch}'s first-parent history.`,
      {
        next: 'git log --first-parent --oneline, then repeat the command with one of its commits, or a time',
      },
    );
  }
  return { commits: place, has: (landing) => !isBelow(places, landing, place) };
}

/** @returns undefined if the text looks like a commit that this clone does not have @throws Failure INVALID_TIME */
async function commitSince(git: Git, text: string): Promise<string | undefined> {
  // git would take a word with a dash for an option.
  const commitId = text.startsWith('-') ? undefined : await commitOf(git, text);
  if (commitId !== undefined || COMMIT.test(text)) return commitId;
  const what = `--since ${JSON.stringify(text)}`;
  throw new Failure(
    'INVALID_TIME',
    `${what} is neither a time, nor how long ago, nor a commit of this clone.`,
    {
      next: 'give a time such as 2026-01-02T03:04:05Z, how long ago such as 7d, or a commit such as HEAD~3',
    },
  );
}

/** Whether a landing was made on a commit that is older than where the check begins. */
function isBelow(places: TargetHistory['places'], { statement }: SealedLanding, begin: number): boolean {
  const onto = statement.parentCommitId === undefined ? undefined : places.get(statement.parentCommitId);
  return onto !== undefined && onto > begin;
}

/**
 * The time is the committer's, who may write any: a commit counts if it, or an older one of the history, is of that
 * time or later. So no committer can leave the check by an earlier date.
 */
function sinceTime({ commits }: TargetHistory, time: string): Beginning {
  const begin = Date.parse(time);
  const last = commits.findLastIndex(({ committedAt }) => Date.parse(committedAt) >= begin);
  return { commits: last + 1, has: ({ statement }) => Date.parse(statement.verifiedAt) >= begin };
}

/**
 * Without `--since`: from the oldest landing that has a receipt on, also if its commit is gone and only the one below
 * it is left. Older commits precede the log.
 */
export function beginningOfLog(
  { places }: TargetHistory,
  landings: ReadonlyMap<SealedLanding, readonly string[]>,
  sealed: readonly SealedLanding[],
): Beginning {
  const oldest = [...landings.values()].map((commits) => places.get(commits.at(-1)!)! + 1);
  const onto = sealed.map(({ statement }) => places.get(statement.parentCommitId ?? '') ?? 0);
  return { commits: Math.max(0, ...oldest, ...onto), has: () => true };
}
