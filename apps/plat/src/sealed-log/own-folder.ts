import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure } from '../terminal/failure';

/** The user to whom the mounted folders of a machine belong, and who could change any other folder too. */
const ROOT = 0;

/**
 * Refuses a link, what is no folder, and a folder of another user: whoever owns a folder can put a link in the place of
 * each file in it.
 *
 * @param refuse makes the failure from the end of a sentence
 */
export async function requireOwnFolder(path: string, refuse: (why: string) => Failure): Promise<void> {
  // Resolved, because with a slash at the end the system follows a link.
  const facts = await lstat(resolve(path));
  if (facts.isSymbolicLink()) throw refuse('is a link');
  if (!facts.isDirectory()) throw refuse('is a file');
  // Windows has no such numbers.
  const own = process.getuid?.();
  if (own !== undefined && ![own, ROOT].includes(facts.uid)) throw refuse('belongs to another user');
}
