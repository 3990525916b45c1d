import { readFileSync, statSync } from 'node:fs';

/** Longest file of a value, in bytes: a bundle of every public certificate authority has a quarter of it. */
const BYTES_MAX = 1024 * 1024;

/**
 * The content of a file that stands for one value, such as a mounted secret, without its last newline.
 *
 * @throws Error saying what is wrong with the file, to be put behind its path; nothing of its content is in it
 */
export function readValueFile(path: string): string {
  const size = sizeOf(path);
  if (size > BYTES_MAX) throw new Error(`has ${size} bytes; ${BYTES_MAX} are the most`);
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (text === '') throw new Error('is empty');
  return text;
}

function sizeOf(path: string): number {
  try {
    const found = statSync(path);
    if (found.isFile()) return found.size;
  } catch (error) {
    throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  throw new Error('is no file');
}
