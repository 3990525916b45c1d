import { NOTE_BYTES_MAX, SignatureRefused, type VerifierKey } from '@plat/ledger';
import { FileRefused, readRegularFile } from '@plat/local';
import { Failure } from '../terminal/failure';
import type { LogChecks } from './log-checks';
import { headText, readCheckpoint, type SignedCheckpoint, verifyCheckpoint } from './signed-checkpoint';

/** A checkpoint of a log that was known before. */
export interface KnownCheckpoint extends SignedCheckpoint {
  /** The file that it was given in; its signature is not verified yet. Undefined: this client has verified it before. */
  file?: string;
}

/**
 * Reads a checkpoint that the caller has kept. Its signature is verified once the log is, because the log says by which keys
 * it was signed in former times.
 *
 * @throws Failure KNOWN_NOT_READABLE
 */
export function readKnown(file: string): KnownCheckpoint {
  try {
    return { ...readCheckpoint(readRegularFile(file, { bytesMax: NOTE_BYTES_MAX })), file };
  } catch (error) {
    if (!(error instanceof FileRefused)) {
      throw notReadable(`${file} holds no checkpoint: ${(error as Error).message}`);
    }
    throw notReadable(error.fault === 'absent' ? `There is no file ${file}.` : `${file} ${error.message}.`);
  }
}

const notReadable = (why: string): Failure =>
  new Failure('KNOWN_NOT_READABLE', why, {
    next: 'give --known a file with a signed checkpoint, such as the file checkpoint of an earlier export',
  });

/**
 * Demands that each checkpoint was signed by a key that is trusted or that the verified log records. A key of former times,
 * which may have leaked since, counts for what was known before, and never for the log itself.
 *
 * @throws Failure KNOWN_NOT_SIGNED
 */
export function demandKnownSigned(known: readonly KnownCheckpoint[], keys: readonly VerifierKey[]): void {
  for (const { file, note } of known) {
    if (file === undefined) continue;
    try {
      verifyCheckpoint(note, keys);
    } catch (error) {
      if (!(error instanceof SignatureRefused)) throw error;
      throw new Failure(
        'KNOWN_NOT_SIGNED',
        `The checkpoint in ${file} counts if a given key or one that the log records has signed it: ${error.message}`,
        {
          details: { file, checkpoint: note },
          next: 'look where the file is from; if it is a checkpoint of this log, the log is not the one that it was: keep both, and ask the administrator of the platform',
        },
      );
    }
  }
}

/** @throws Failure KNOWN_OF_ANOTHER_LOG */
export function demandSameLog(origin: string, known: readonly KnownCheckpoint[]): void {
  const other = known.find((one) => one.origin !== origin);
  if (other === undefined) return;
  throw new Failure(
    'KNOWN_OF_ANOTHER_LOG',
    `The known checkpoint is of the log ${other.origin}, not of ${origin}.`,
    {
      next: 'give --known a checkpoint of the log that is in the folder',
    },
  );
}

/**
 * Whether a sound log is the same one as, or continues, each checkpoint that was known.
 *
 * @param checks have seen all entries, and watch the sizes of the known checkpoints
 * @returns undefined, or in one sentence how it contradicts the first that it does contradict
 */
export function contradictionOf(
  shown: SignedCheckpoint,
  { checks, known }: { checks: LogChecks; known: readonly KnownCheckpoint[] },
): string | undefined {
  for (const one of known) {
    const knows = one.file === undefined ? 'this client has seen' : `the checkpoint in ${one.file} has`;
    const heads = `${knows} ${headText(one)}; this log has ${headText(shown)}.`;
    if (one.size > shown.size) return `The log is smaller than it was: ${heads}`;
    const root = checks.root(one.size);
    if (one.size > 0 && !root?.equals(one.rootHash)) {
      return `The first ${one.size} entries are other ones than they were: ${heads}`;
    }
  }
  return undefined;
}
