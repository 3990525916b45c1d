import { UNDONE_DAYS } from '../before-push/find-undone';
import { readGateOf } from '../gate/configured-gate';
import { Failure } from '../terminal/failure';
import { noteReport } from '../undone/note-undone';
import { reportUndone } from '../undone/report-undone';
import { textsOfReview } from '../undone/said-by-review';
import { isRefused, refusedFindings } from '../undone/undone-report';
import { undoneLines } from '../undone/undone-text';
import { unknownText } from '../undone/unknown-text';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/** A merge that a drive has made. */
interface Made extends Pick<DriveState, 'review'> {
  targetCommit: string;
  sourceCommit: string;
  mergeCommit: string;
}

/**
 * Notes the work of earlier landings that a merge would take back.
 *
 * @returns why the review fails; undefined unless the drive, or the target's project file, refuses such a merge
 */
export async function findUndoneWork(
  context: DriveContext,
  { review, targetCommit: onto, sourceCommit, mergeCommit }: Made,
): Promise<string | undefined> {
  const { git, platform, progress, note, verifierWorker } = context;
  const { sourceBranch } = review;
  const treeId = (await git.run(['rev-parse', `${mergeCommit}^{tree}`])).trim();
  const texts = () => textsOfReview(platform.api, review);
  const asked = { api: platform.api, texts, days: UNDONE_DAYS, verifierWorker };
  const reporting = reportUndone(git, { onto, treeId, sourceCommit }, asked);
  const report = await progress(`Comparing the merge of ${sourceBranch} with earlier landings`, reporting);
  if ('unknown' in report) {
    const notKnown = `What ${sourceBranch} takes back of earlier landings is not known: ${unknownText(report.unknown)}.`;
    // A refusal that a source could escape by its size would refuse nothing.
    if (await isRefusing(context, onto)) return `${notKnown} Nothing was pushed.`;
    note(notKnown);
    return undefined;
  }
  noteReport(sourceBranch, report, note);
  if (!isRefused(report) || !(await isRefusing(context, onto))) return undefined;
  return [
    `It would take back work of earlier landings. Nothing was pushed.`,
    ...undoneLines({ ...report, findings: refusedFindings(report), reverts: [] }),
    'To land it as it is, run plat review undoes with --on-purpose and the id of the landing; then record its build again.',
  ].join('\n');
}

/** Whether the drive or the target's project file refuses it. A file that cannot be read fails at the gate. */
async function isRefusing({ git, refuseUndone }: DriveContext, targetCommit: string): Promise<boolean> {
  if (refuseUndone) return true;
  try {
    return (await readGateOf(git, targetCommit)).refuseUndone === true;
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith('CONFIG_')) return false;
    throw error;
  }
}
