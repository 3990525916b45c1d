import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { FailureCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** Largest file that is read, in bytes. */
const SIZE_MAX = 64 * 1024;
const GROUP_AND_OTHERS = 0o077;
const OTHERS = 0o007;

/** A file with a secret, and the failures of the command that needs it. */
export interface SecretFile {
  path: string;
  /** The content of the file, as a message names it: `the credential of the gateway`. */
  holds: string;
  /** Code of the failure of a file that others may read. */
  exposedCode: FailureCode;
  /** Whether the file's group may read it, as Kubernetes mounts a secret. Default false. */
  groupMayRead?: boolean;
  /** The failure of one that cannot be read. */
  unreadable(message: string): Failure;
}

/**
 * Reads a file that only its owner may read. No failure repeats its content.
 *
 * @throws Failure the file's own, for a missing, exposed or large one, and for one that is not a file
 */
export function readSecretFile(file: SecretFile): Promise<string> {
  return withSecretFile(file, (handle) => handle.readFile('utf8'));
}

/** Checks everything that readSecretFile checks, and reads nothing. @throws Failure those of readSecretFile */
export function checkSecretFile(file: SecretFile): Promise<void> {
  return withSecretFile(file, () => Promise.resolve());
}

/** Checks the file that is open, so that no other can take its place in between. */
async function withSecretFile<T>(file: SecretFile, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const { path, holds, exposedCode, groupMayRead, unreadable } = file;
  const forbidden = groupMayRead === true ? OTHERS : GROUP_AND_OTHERS;
  // A named pipe is refused below; without O_NONBLOCK its opening would wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(
      error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${error.message}.`,
    );
  });
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw unreadable(`${path} is not a file.`);
    // Windows keeps no such bits.
    if (process.platform !== 'win32' && (facts.mode & forbidden) !== 0) {
      throw new Failure(exposedCode, `Others may read ${path}, which holds ${holds}.`, {
        details: { path, mode: (facts.mode & 0o777).toString(8).padStart(4, '0') },
        next: nextStep('chmod 600', [path]),
      });
    }
    if (facts.size > SIZE_MAX) throw unreadable(`${path} has more than ${SIZE_MAX} bytes.`);
    return await use(handle);
  } finally {
    await handle.close();
  }
}
