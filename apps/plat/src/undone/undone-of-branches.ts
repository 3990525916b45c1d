import type { ApiClient } from '@plat/api-client';
import type { UndoneOptions } from '../before-push/find-undone';
import type { Git } from '../git/git';
import { mergeByRecipe } from '../merge/merge-by-recipe';
import { ORIGIN } from '../origin/origin';
import { requireWholeHistory } from '../origin/whole-history';
import { lookAtTip } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import { reportUndone } from './report-undone';
import type { UndoneReport } from './undone-report';
import { unknownText } from './unknown-text';

/** Branches of origin, of which one is to land on the other. */
export interface Branches {
  sourceBranch: string;
  targetBranch: string;
}

interface Asked extends UndoneOptions {
  api: ApiClient;
  /** Reads the texts in which the review says what it reverts. */
  texts(): Promise<readonly string[]>;
}

/**
 * Reports what the merge of a branch would take back of earlier landings. The merge is made as a gate makes it, from the
 * branches as origin has them; nothing is checked out.
 *
 * @throws Failure NO_SUCH_BRANCH, SHALLOW_CHECKOUT, UNDONE_UNKNOWN, GIT_TOO_OLD, GIT_FAILED; ApiFault
 */
export async function undoneOfBranches(git: Git, branches: Branches, asked: Asked): Promise<UndoneReport> {
  const { sourceBranch, targetBranch } = branches;
  await requireWholeHistory(git);
  const [onto, source] = [await requireTip(git, targetBranch), await requireTip(git, sourceBranch)];
  const merged = await mergeByRecipe(git, { onto, source });
  if (merged.outcome === 'conflict') {
    throw notKnown(branches, `it conflicts with ${targetBranch} in ${merged.files.join(', ')}`);
  }
  if (merged.outcome === 'unrelated') throw notKnown(branches, `it shares no history with ${targetBranch}`);
  if (merged.outcome === 'oversized') throw notKnown(branches, 'it has too many files');
  const report = await reportUndone(git, { onto, treeId: merged.tree, sourceCommit: source }, asked);
  if ('unknown' in report) throw notKnown(branches, unknownText(report.unknown));
  return report;
}

/** @throws Failure NO_SUCH_BRANCH */
export async function requireTip(git: Git, branch: string): Promise<string> {
  const tip = await lookAtTip(git, ORIGIN, branch);
  if (tip !== undefined) return tip;
  throw new Failure('NO_SUCH_BRANCH', `${ORIGIN} has no branch ${branch}.`, {
    next: 'git push, then repeat the command',
  });
}

function notKnown({ sourceBranch }: Branches, why: string): Failure {
  return new Failure(
    'UNDONE_UNKNOWN',
    printableLine(`What ${sourceBranch} would take back of earlier landings cannot be determined: ${why}.`),
    { next: nextStep('merge the target into', [sourceBranch], 'and push it, then repeat the command') },
  );
}
