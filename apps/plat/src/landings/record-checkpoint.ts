import type { ApiClient } from '@plat/api-client';
import type { Environment } from '../environment';
import type { Git } from '../gate/git';
import { ORIGIN } from '../gate/origin';
import type { Push } from '../gate/push';
import { demandConsistency } from '../sealed-log/demand-consistency';
import { tenantOf } from '../sealed-log/log-layout';
import { logKeys, openPlatformLog, openSigned } from '../sealed-log/platform-log';
import type { SignedCheckpoint } from '../sealed-log/signed-checkpoint';
import { apiFailure } from '../session/api-failure';
import type { Platform } from '../session/platform';
import { Failure } from '../terminal/failure';
import { shellQuote } from '../terminal/shell-quote';
import { checkpointRef, pushArguments, pushCheckpoint, readHeld, refDamaged } from './checkpoint-ref';

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

/** How often another recording may come first. */
const ATTEMPTS_MAX = 10;

/**
 * Records the platform's newest checkpoint in the repository, where the platform has no right to write. It must continue
 * what this client remembers and what the ref holds.
 *
 * @throws Failure LOG_CONTRADICTS with exit code 3, LOG_NOT_SIGNED, CHECKPOINT_REF_DAMAGED, CHECKPOINT_REJECTED,
 *   CHECKPOINT_RACED
 */
async function recordCheckpoint(git: Git, api: ApiClient, configFolder: string): Promise<RecordedCheckpoint> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const recorded = await recordOnce(git, api, configFolder);
    if (recorded) return recorded;
  }
  throw new Failure('CHECKPOINT_RACED', `Other recordings came first ${ATTEMPTS_MAX} times.`, {
    next: 'repeat the command in a moment',
  });
}

/** @returns undefined if another recording came first */
async function recordOnce(
  git: Git,
  api: ApiClient,
  configFolder: string,
): Promise<RecordedCheckpoint | undefined> {
  const shown = await openPlatformLog(api, { configFolder, pinned: [] });
  const { origin, size, note } = shown;
  const ref = checkpointRef(tenantOf(origin) ?? '');
  const held = await readHeld(git, ref);
  if (held !== undefined) {
    const remembered = await openHeld(api, ref, held.note);
    await demandConsistency(api, { remembered, shown });
    if (remembered.size >= size) {
      return { ref, commitId: held.commitId, origin, size: remembered.size, upToDate: true };
    }
  }
  const title = `Checkpoint of ${origin} with ${size} entries`;
  const commitId = await pushCheckpoint(git, ref, { note, title, onto: held?.commitId });
  return commitId === undefined ? undefined : { ref, commitId, origin, size, upToDate: false };
}

async function openHeld(api: ApiClient, ref: string, note: string): Promise<SignedCheckpoint> {
  try {
    return openSigned(note, await logKeys(api, []));
  } catch (error) {
    if (error instanceof Failure) throw refDamaged(ref, error.message);
    throw error;
  }
}

/**
 * Records the checkpoint after a push. A failure says that the push was made.
 *
 * @throws Failure
 */
export async function recordAfter(
  pushed: Push,
  git: Git,
  by: { platform: Platform; interrupted: AbortSignal; environment: Pick<Environment, 'configFolder'> },
): Promise<RecordedCheckpoint> {
  try {
    const api = by.platform.api.interruptedBy(by.interrupted);
    return await recordCheckpoint(git, api, by.environment.configFolder);
  } catch (error) {
    throw notRecorded(error, pushed);
  }
}

function notRecorded(error: unknown, pushed: Push): Failure {
  const cause = error instanceof Failure ? error : apiFailure(error);
  const { targetBranch, commitId } = pushed;
  const repeat = ['plat', 'exec', 'push', '--target-branch', targetBranch, '--commit-id', commitId];
  const again = `${shellQuote(repeat)} --record-checkpoint`;
  const why = cause?.message ?? (error instanceof Error ? error.message : String(error));
  return new Failure(
    cause?.code ?? 'CHECKPOINT_NOT_RECORDED',
    `${targetBranch} was pushed and is at ${commitId}, but the checkpoint was not recorded: ${why}`,
    {
      details: { ...cause?.details, pushed },
      next: cause?.next === undefined ? again : `${cause.next}; then ${again}`,
      exitCode: cause?.exitCode,
      requestId: cause?.requestId,
    },
  );
}

/** The steps of a recording, as `--dry-run` prints them. */
export function plannedRecording({ plannedCall }: Platform): string[] {
  const ref = checkpointRef('<tenant_id>');
  return [
    plannedCall('getAuditLogCheckpoint'),
    `git ls-remote -- ${ORIGIN} ${ref}`,
    shellQuote(['git', ...pushArguments(ref, '<commit with the checkpoint>')]),
  ];
}
