import { type ApiClient, getAuditLogCheckpoint } from '@plat/api-client';
import type { VerifierKey } from '@plat/ledger';
import type { FailureCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkConsistent } from './checkpoint-memory';
import { demandConsistency } from './demand-consistency';
import { logContradicts } from './export-faults';
import { ExportFolder } from './export-folder';
import { readKeys } from './log-keys';
import { asNothingSealed, platformKeys } from './platform-keys';
import { type VerifiedCheckpoint, verifyCheckpoint } from './signed-checkpoint';
import { type LogToWrite, writeLog } from './write-log';

export interface ExportOrder extends Pick<LogToWrite, 'advanced' | 'interrupted' | 'recheck'> {
  configFolder: string;
  folder: string;
  /** Values of `--key`; none: the keys of the platform. */
  keys: readonly string[];
  /** Prints a line on stderr. */
  note(line: string): void;
}

/** The result of `plat audit export`. */
export interface ExportedLog {
  folder: string;
  origin: string;
  /** Entries of the log. */
  size: number;
  /** Base64. */
  rootHash: string;
  /** Entries that were fetched; the folder had the others. */
  fetched: number;
}

/**
 * Exports the caller's log, and checks it meanwhile as `plat audit verify` does. A folder with an export of it is brought
 * up to date. Waits for another export that is at work in the folder.
 *
 * @throws Failure FOLDER_NOT_USABLE, FOLDER_NOT_AN_EXPORT, FOLDER_OF_ANOTHER_LOG, KEY_NOT_READABLE, NOTHING_SEALED,
 *   CHECKPOINT_NOT_SIGNED, EXPORT_ALTERED; LOG_CONTRADICTS, LOG_NOT_SOUND and ERASURE_NOT_SEALED, with the log as
 *   the platform shows it in a folder that was new, so that others can judge it
 */
export async function exportLog(api: ApiClient, order: ExportOrder): Promise<ExportedLog> {
  const pinned = readKeys(order.keys);
  const opened = await ExportFolder.open(order.folder);
  const waiting = (pid: number) =>
    order.note(`Waiting for the process ${pid}, which exports to ${order.folder} …`);
  const lock = await opened.lock({ interrupted: order.interrupted, waiting });
  try {
    return await exportLocked(api, order, pinned);
  } finally {
    await lock.release();
  }
}

async function exportLocked(
  api: ApiClient,
  order: ExportOrder,
  pinned: readonly VerifierKey[],
): Promise<ExportedLog> {
  // Another export may have worked in it while this one waited.
  const folder = await ExportFolder.open(order.folder);
  const checkpoint = await readSigned(api, pinned.length > 0 ? pinned : await platformKeys(api));
  await demandSameLog(api, { folder, checkpoint });
  const writing = { ...order, api, folder, checkpoint };
  const contradiction = await findContradiction(writing);
  if (contradiction !== undefined) throw await writeEvidence(writing, contradiction);
  const fetched = await writeLog(writing);
  const { origin, size, rootHash } = checkpoint;
  return {
    folder: order.folder,
    origin,
    size,
    rootHash: Buffer.from(rootHash).toString('base64'),
    fetched,
  };
}

type Writing = LogToWrite & Pick<ExportOrder, 'configFolder'>;

async function findContradiction({ configFolder, api, checkpoint }: Writing): Promise<Failure | undefined> {
  try {
    await checkConsistent(configFolder, api, checkpoint);
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'LOG_CONTRADICTS') return error;
    throw error;
  }
}

/** Writes the log as the platform shows it, unless the folder has an export. @returns the failure to end with */
async function writeEvidence(writing: Writing, contradiction: Failure): Promise<Failure> {
  const { folder, interrupted } = writing;
  if (folder.former !== undefined) return contradiction;
  try {
    await writeLog(writing);
  } catch (error) {
    interrupted.throwIfAborted();
    // That it contradicts is the graver fault, and a log that is not sound was written all the same.
    if (!(error instanceof Failure && WRITTEN.includes(error.code))) return contradiction;
  }
  return logContradicts(contradiction, folder);
}

/** The faults with which a log is written whole. */
const WRITTEN: readonly FailureCode[] = ['LOG_NOT_SOUND', 'ERASURE_NOT_SEALED'];

async function readSigned(api: ApiClient, keys: readonly VerifierKey[]): Promise<VerifiedCheckpoint> {
  const { checkpoint } = await getAuditLogCheckpoint(api).catch(asNothingSealed);
  try {
    return verifyCheckpoint(checkpoint, keys);
  } catch (error) {
    const text = `The platform shows a checkpoint that does not count: ${(error as Error).message}`;
    throw new Failure('CHECKPOINT_NOT_SIGNED', text, {
      details: { checkpoint },
      next: 'ask the administrator of the platform for the keys of your log, and pin them by --key',
    });
  }
}

interface ExportState {
  folder: ExportFolder;
  checkpoint: VerifiedCheckpoint;
}

async function demandSameLog(api: ApiClient, { folder, checkpoint }: ExportState): Promise<void> {
  if (folder.origin !== undefined && folder.origin !== checkpoint.origin) {
    throw new Failure(
      'FOLDER_OF_ANOTHER_LOG',
      `${folder.root} has an export of ${folder.origin}; your log is ${checkpoint.origin}.`,
      {
        details: { folder: folder.origin, log: checkpoint.origin },
        next: 'name another folder, or another --alias',
      },
    );
  }
  if (folder.former) {
    const keeper = { holds: `${folder.root} has an export of`, accept: nextStep('export to a new folder') };
    await demandConsistency(api, { remembered: folder.former, shown: checkpoint, keeper });
  }
  if (folder.former && folder.former.size > checkpoint.size) {
    throw new Failure(
      'EXPORT_IS_NEWER',
      `${folder.root} has ${folder.former.size} entries; the platform shows only ${checkpoint.size}.`,
      {
        details: { folder: folder.former.size, shown: checkpoint.size },
        next: 'repeat the command in a minute; keep the folder, and ask the administrator why the log is smaller than it was',
      },
    );
  }
}
