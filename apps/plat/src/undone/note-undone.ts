import type { ApiClient, Review } from '@plat/api-client';
import { UNDONE_DAYS } from '../before-push/find-undone';
import type { Git } from '../git/git';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import type { Progress } from '../terminal/progress';
import { textsOfReview } from './said-by-review';
import { type Branches, undoneOfBranches } from './undone-of-branches';
import type { UndoneReport } from './undone-report';
import { undoneLines } from './undone-text';

interface Noting {
  api: ApiClient;
  /** Reads the texts in which the review says what it reverts. */
  texts(): Promise<readonly string[]>;
  progress: Progress;
  note(line: string): void;
}

/**
 * Notes the work of earlier landings that the merge of a branch would take back. The command has done its own work, so a
 * comparison that cannot be made is noted too, and fails nothing.
 */
export async function noteUndone(git: Git, branches: Branches, noting: Noting): Promise<void> {
  const { api, texts, progress, note } = noting;
  await unlessItFails(git, note, async () => {
    const comparing = undoneOfBranches(git, branches, { api, texts, days: UNDONE_DAYS });
    const report = await progress('Comparing the merge with earlier landings', comparing);
    noteReport(branches.sourceBranch, report, note);
  });
}

/** Does work after which a command has still succeeded: its failure is noted. Ctrl-C ends it. */
export async function unlessItFails(
  git: Git,
  note: Noting['note'],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    git.interrupted?.throwIfAborted();
    note(printableLine(error instanceof Error ? error.message : String(error)));
  }
}

/** The same for a review, which may say in its name and its comments what it reverts. */
export function noteUndoneOf(review: Review, git: Git, noting: Omit<Noting, 'texts'>): Promise<void> {
  return noteUndone(git, review, { ...noting, texts: () => textsOfReview(noting.api, review) });
}

/** Notes a report that names something. */
export function noteReport(sourceBranch: string, report: UndoneReport, note: (line: string) => void): void {
  const lines = undoneLines(report);
  if (lines.length === 0) return;
  note(nextStep([sourceBranch], 'takes back work of earlier landings:'));
  for (const line of lines) note(line);
}
