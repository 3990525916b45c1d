import { recordAfter, type RecordedCheckpoint, recordedText } from '../landings/record-checkpoint';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/**
 * Records the checkpoint of the sealed log after a merge has landed, if the drive was asked to. A drive that cannot stops:
 * the next one goes on here.
 *
 * @throws Failure LOG_CONTRADICTS with exit code 3, and those of `recordAfter`
 */
export async function checkpointStep(
  { git, platform: { api }, targetBranch, recording, note, progress }: DriveContext,
  { merge }: DriveState,
): Promise<RecordedCheckpoint | undefined> {
  const commitId = merge?.mergeCommit;
  if (recording === undefined || commitId === undefined) return undefined;
  const again = ['plat', 'drive', '--target-branch', targetBranch];
  const recorded = recordAfter({ git, api, push: { targetBranch, commitId }, again }, recording);
  const checkpoint = await progress('Recording the checkpoint', recorded);
  note(recordedText(checkpoint));
  return checkpoint;
}
