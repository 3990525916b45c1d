import type { ApiClient } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import type { Git } from '../git/git';
import { ORIGIN } from '../origin/origin';
import type { Platform } from '../platform/platform';
import type { Push } from '../push/push';
import { demandConsistency } from '../sealed-log/demand-consistency';
import { readKeys } from '../sealed-log/log-keys';
import { tenantOf } from '../sealed-log/log-layout';
import { type LogToOpen, openPlatformLog } from '../sealed-log/platform-log';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { shellQuote } from '../terminal/shell-quote';
import { checkpointRef, pushArguments, pushCheckpoint, readHeld, refAsKeeper } from './checkpoint-ref';
import { openHeld } from './held-checkpoint';

/** A checkpoint in the ref of the repository. */
export interface RecordedCheckpoint {
  ref: string;
  /** The commit that holds it. */
  commitId: string;
  origin: string;
  size: number;
  /** Whether the ref held it, or a newer one, before. */
  upToDate: boolean;
}

/** How a checkpoint is recorded after a push. */
export interface CheckpointRecording extends LogToOpen {
  /** The flags that ask for it, for the command that repeats it. */
  flags: readonly string[];
}

/**
 * Reads the flags of a recording, before the push: a wrong one prevents it.
 *
 * @returns undefined if none is asked for
 * @throws Failure KEY_NOT_READABLE
 */
export async function asksForRecording(
  flags: { 'record-checkpoint': boolean; 'log-key'?: readonly string[] | undefined },
  configFolder: string,
): Promise<CheckpointRecording | undefined> {
  if (!flags['record-checkpoint']) return undefined;
  const given = flags['log-key'] ?? [];
  const words = ['--record-checkpoint', ...given.flatMap((key) => ['--log-key', key])];
  return { configFolder, pinned: readKeys(given), flags: words };
}

/** How often another recording may come first. */
const ATTEMPTS_MAX = 10;

/**
 * Records the platform's newest checkpoint in the repository, where the platform has no right to write. It must continue
 * what this client remembers and what the ref holds.
 *
 * @throws Failure LOG_CONTRADICTS with exit code 3, LOG_NOT_SIGNED, CHECKPOINT_REF_DAMAGED, CHECKPOINT_REJECTED,
 *   CHECKPOINT_RACED
 */
async function recordCheckpoint(git: Git, api: ApiClient, log: LogToOpen): Promise<RecordedCheckpoint> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const recorded = await recordOnce(git, api, log);
    if (recorded) return recorded;
  }
  throw new Failure('CHECKPOINT_RACED', `Other recordings came first ${ATTEMPTS_MAX} times.`, {
    next: 'repeat the command in a moment',
  });
}

/** @returns undefined if another recording came first */
async function recordOnce(git: Git, api: ApiClient, log: LogToOpen): Promise<RecordedCheckpoint | undefined> {
  const shown = await openPlatformLog(api, log);
  const { origin, size, note } = shown;
  const ref = checkpointRef(tenantOf(origin) ?? '');
  const held = await readHeld(git, ref);
  if (held !== undefined) {
    const remembered = await openHeld(api, log, { ref, shown, ...held });
    await demandConsistency(api, { remembered, shown, keeper: refAsKeeper(ref, held) });
    if (remembered.size >= size) {
      return { ref, commitId: held.commitId, origin, size: remembered.size, upToDate: true };
    }
  }
  const title = `Checkpoint of ${origin} with ${size} entries`;
  const commitId = await pushCheckpoint(git, ref, { note, title, onto: held?.commitId });
  return commitId === undefined ? undefined : { ref, commitId, origin, size, upToDate: false };
}

/** The push after which a checkpoint is recorded. */
export interface Pushed {
  git: Git;
  /** Its calls end if the command is interrupted. */
  api: ApiClient;
  push: Pick<Push, 'targetBranch' | 'commitId'> & { upToDate?: boolean };
  /** The command that records the checkpoint later, without the flags of the recording. */
  again: readonly string[];
}

/**
 * Records the checkpoint after a push. A failure says that the push was made.
 *
 * @throws Failure
 */
export async function recordAfter(
  pushed: Pushed,
  recording: CheckpointRecording,
): Promise<RecordedCheckpoint> {
  try {
    return await recordCheckpoint(pushed.git, pushed.api, recording);
  } catch (error) {
    throw notRecorded(error, pushed, recording);
  }
}

function notRecorded(error: unknown, { push, again }: Pushed, { flags }: CheckpointRecording): Failure {
  const cause = error instanceof Failure ? error : apiFailure(error);
  const repeat = nextStep([...again, ...flags]);
  const why = cause?.message ?? (error instanceof Error ? error.message : String(error));
  const { targetBranch, commitId, upToDate = false } = push;
  const pushed = upToDate
    ? `${targetBranch} had ${commitId} already`
    : `${targetBranch} was pushed and is at ${commitId}`;
  return new Failure(
    cause?.code ?? 'CHECKPOINT_NOT_RECORDED',
    `${pushed}, but the checkpoint was not recorded: ${why}`,
    {
      details: { ...cause?.details, pushed: push },
      next: cause?.next === undefined ? repeat : nextStep(cause.next, '; then', repeat),
      exitCode: cause?.exitCode,
      requestId: cause?.requestId,
    },
  );
}

/** The recorded checkpoint, for a person. */
export const recordedText = ({ ref, size }: RecordedCheckpoint): string =>
  `${ref} holds the log of ${size} entries.`;

/** The steps of a recording, as `--dry-run` prints them. */
export function plannedRecording({ plannedCall }: Platform): string[] {
  const ref = checkpointRef('<tenant_id>');
  return [
    plannedCall('getAuditLogCheckpoint'),
    `git ls-remote -- ${ORIGIN} ${ref}`,
    shellQuote(['git', ...pushArguments(ref, '<commit with the checkpoint>')]),
  ];
}
