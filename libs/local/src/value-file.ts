import { readRegularFile } from './regular-file';

/** Longest file of a value, in bytes: a bundle of every public certificate authority has a quarter of it. */
const BYTES_MAX = 1024 * 1024;

/**
 * The content of a file that stands for one value, such as a mounted secret, without its last newline. It may be a link,
 * because a cluster mounts secrets as links.
 *
 * @throws Error saying what is wrong with the file, to be put behind its path; nothing of its content is in it
 */
export function readValueFile(path: string): string {
  const text = readRegularFile(path, { bytesMax: BYTES_MAX })
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (text === '') throw new Error('is empty');
  return text;
}
