import { childVariables } from '../environment';
import type { Git } from '../git/git';
import { withReadableCopy } from './readable-copy';
import { findUndoneHere, isSaidRevert } from './verifier-library.js';

export { isSaidRevert };
/** The texts in which a review says what it reverts. */
export type Said = Parameters<typeof isSaidRevert>[1];

/** The verifier's answer. */
export type UndoneWork = Extract<Awaited<ReturnType<typeof findUndoneHere>>, { findings: unknown }>;

/** A merge that is made and not pushed. Ids. */
export interface MadeMerge {
  /** The target's commit below it. */
  onto: string;
  /** The merge's tree. */
  treeId: string;
  sourceCommit: string;
}

export interface UndoneOptions {
  /** Landings of this many days are examined, even if the source parted from the target later. */
  days: number;
  /** File of the program that reads the repository; default: the client's own. */
  verifierWorker?: string | undefined;
}

/** Landings of this many days are examined by default. */
export const UNDONE_DAYS = 30;

/**
 * Finds the work of earlier landings that a merge would take back, by the service's own code, in a process of its own.
 *
 * @returns the reason if it cannot be determined
 */
export async function findUndone(
  git: Git,
  { onto, treeId, sourceCommit }: MadeMerge,
  { days, verifierWorker }: UndoneOptions,
): Promise<UndoneWork | { unknown: string }> {
  const branches = new Map([
    ['target', onto],
    ['source', sourceCommit],
  ]);
  const judging = {
    gitSearchPath: childVariables({})['PATH'],
    workerFile: verifierWorker,
    signal: git.interrupted,
  };
  const question = { onto, treeId, sourceCommitId: sourceCommit, days };
  const found = await withReadableCopy(git, branches, (folder) =>
    findUndoneHere(question, { ...judging, folder }),
  );
  // An interrupted search ends without an answer.
  git.interrupted?.throwIfAborted();
  return found;
}
