import { UNDONE_DAYS } from '../before-push/find-undone';
import type { Git } from '../git/git';
import type { Progress } from '../terminal/progress';
import { noteReport, unlessItFails } from './note-undone';
import { reportUndone } from './report-undone';
import { unknownText } from './unknown-text';

/** The squash commits of a gate, in their order. */
interface Gated {
  targetCommit: string;
  merged: readonly { sourceBranch: string; sourceCommit: string; commitId: string; message: string }[];
}

/** Notes the work of earlier landings that the squash commits of a gate would take back. The platform is not asked. The gate has succeeded, so a comparison that fails is noted too. */
export async function noteUndoneByGate(
  git: Git,
  { targetCommit, merged }: Gated,
  { progress, note }: { progress: Progress; note(line: string): void },
): Promise<void> {
  await unlessItFails(git, note, () => noteEach(git, { targetCommit, merged }, { progress, note }));
}

async function noteEach(
  git: Git,
  { targetCommit, merged }: Gated,
  { progress, note }: { progress: Progress; note(line: string): void },
): Promise<void> {
  let onto = targetCommit;
  for (const { sourceBranch, sourceCommit, commitId, message } of merged) {
    const treeId = (await git.run(['rev-parse', `${commitId}^{tree}`])).trim();
    const asked = { texts: () => Promise.resolve([message]), days: UNDONE_DAYS };
    const reporting = reportUndone(git, { onto, treeId, sourceCommit }, asked);
    const report = await progress(`Comparing the merge of ${sourceBranch} with earlier landings`, reporting);
    if ('unknown' in report) {
      note(
        `What ${sourceBranch} takes back of earlier landings is not known: ${unknownText(report.unknown)}.`,
      );
    } else {
      noteReport(sourceBranch, report, note);
    }
    onto = commitId;
  }
}
