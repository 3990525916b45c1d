import { readFile } from 'node:fs/promises';
import { SignatureRefused, type VerifierKey } from '@plat/ledger';
import { Failure } from '../terminal/failure';
import type { LogChecks } from './log-checks';
import { headText, type SignedCheckpoint, verifyCheckpoint } from './signed-checkpoint';

/**
 * Reads a checkpoint that the caller has kept.
 *
 * @throws Failure KNOWN_NOT_READABLE, KNOWN_NOT_SIGNED
 */
export async function readKnown(file: string, keys: readonly VerifierKey[]): Promise<SignedCheckpoint> {
  try {
    return verifyCheckpoint(await readFile(file), keys);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw notReadable(`There is no file ${file}.`);
    if (error instanceof SignatureRefused) {
      throw new Failure('KNOWN_NOT_SIGNED', `The checkpoint in ${file} does not count: ${message}`, {
        next: 'give --key the key that has signed it, too',
      });
    }
    throw notReadable(code === 'EISDIR' ? `${file} is a folder.` : `${file} holds no checkpoint: ${message}`);
  }
}

const notReadable = (why: string): Failure =>
  new Failure('KNOWN_NOT_READABLE', why, {
    next: 'give --known a file with a signed checkpoint, such as the file checkpoint of an earlier export',
  });

/** @throws Failure KNOWN_OF_ANOTHER_LOG */
export function demandSameLog(origin: string, known: readonly SignedCheckpoint[]): void {
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
  { checks, known }: { checks: LogChecks; known: readonly SignedCheckpoint[] },
): string | undefined {
  for (const one of known) {
    const heads = `the known checkpoint has ${headText(one)}; this log has ${headText(shown)}.`;
    if (one.size > shown.size) return `The log is smaller than it was: ${heads}`;
    const root = checks.root(one.size);
    if (one.size > 0 && !root?.equals(one.rootHash)) {
      return `The first ${one.size} entries are other ones than they were: ${heads}`;
    }
  }
  return undefined;
}
