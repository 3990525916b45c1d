import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The rule that a file breaks. */
export type FileFault =
  | 'absent'
  | 'folder'
  | 'irregular'
  | 'link'
  | 'outside'
  | 'large'
  | 'unreadable'
  /** Another file took its place while it was read. */
  | 'replaced';

/** A file that is not read. Its message is the end of a sentence that begins with the path; no content is in it. */
export class FileRefused extends Error {
  constructor(
    readonly fault: FileFault,
    message: string,
  ) {
    super(message);
  }
}

/** Bounds of a file that another person may have made. */
export interface FileBounds {
  /** Most bytes that are read. */
  bytesMax: number;
  /** The folder in which the file has to be, after its links are followed; undefined: links may lead anywhere. */
  inside?: string;
  /** Whether the file, or a folder between it and `inside`, may be a link; default true. */
  mayBeLink?: boolean;
}

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a regular file. Waits for no pipe, opens no device, and takes memory for no more than the bounds allow. The read is
 * synchronous, so that nothing else of this process changes the file in between.
 *
 * @throws FileRefused
 */
export function readRegularFile(path: string, bounds: FileBounds): Buffer {
  const place =
    bounds.inside === undefined ? path : resolveInside(path, { ...bounds, inside: bounds.inside });
  const file = openRegular(place, bounds);
  try {
    return readAll(file, bounds.bytesMax);
  } finally {
    closeSync(file);
  }
}

/**
 * The path of an existing file without links.
 *
 * @throws FileRefused if the file is not in the folder, or is not there
 */
export function resolveInside(
  path: string,
  { inside, mayBeLink = true }: Omit<FileBounds, 'bytesMax'> & { inside: string },
): string {
  const [folder, place] = attempt(() => [realpathSync.native(inside), realpathSync.native(path)]);
  if (!mayBeLink && place !== join(folder, relative(inside, path))) {
    throw new FileRefused('link', 'is a link, or below one');
  }
  const root = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  if (!place.startsWith(root)) throw new FileRefused('outside', `is a link that leads out of ${inside}`);
  return place;
}

function openRegular(place: string, { bytesMax, inside }: FileBounds): number {
  // Before it is opened, because opening a device can have an effect.
  demandRegular(attempt(() => statSync(place)));
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = constants;
  const flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (inside === undefined ? 0 : O_NOFOLLOW);
  const file = attempt(() => openSync(place, flags));
  try {
    const facts = fstatSync(file);
    demandRegular(facts);
    if (facts.size > bytesMax) throw tooLarge(bytesMax);
    // A folder above may have been replaced by a link meanwhile.
    if (inside !== undefined && !isStill(place, facts)) {
      throw new FileRefused('replaced', 'was replaced while it was read');
    }
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function demandRegular(facts: { isFile(): boolean; isDirectory(): boolean }): void {
  if (facts.isDirectory()) throw new FileRefused('folder', 'is a folder');
  if (!facts.isFile()) throw new FileRefused('irregular', 'is not a regular file');
}

function isStill(place: string, { ino, dev }: { ino: number; dev: number }): boolean {
  const now = attempt(() => lstatSync(place));
  return now.ino === ino && now.dev === dev && attempt(() => realpathSync.native(place)) === place;
}

/** Reads to the end: a file may grow meanwhile, and one of the system may say that it is empty. */
function readAll(file: number, bytesMax: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytesMax - length + 1));
    const count = attempt(() => readSync(file, chunk));
    if (count === 0) return Buffer.concat(chunks);
    length += count;
    if (length > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk.subarray(0, count));
  }
}

const tooLarge = (bytesMax: number): FileRefused =>
  new FileRefused('large', `has more than ${bytesMax} bytes`);

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new FileRefused('absent', 'is not there');
    if (code === 'ELOOP') throw new FileRefused('link', 'is a link that leads to itself');
    // A socket.
    if (code === 'ENXIO') throw new FileRefused('irregular', 'is not a regular file');
    throw new FileRefused('unreadable', `cannot be read (${code})`);
  }
}
