/** The score of equal files, as git counts it. */
export const SCORE_MAX = 60_000;

/** Longest chunk. A chunk ends with its line or here. */
const CHUNK_BYTES_MAX = 64;
const HASH_BASE = 107_927;
const BINARY_TEST_BYTES = 8_000;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Bytes of a file, by the hash of their chunk. */
export type ChunkBytes = ReadonlyMap<number, number>;

/** Counts a file's bytes by chunks: lines, or 64 bytes of a longer line (git's `diffcore-delta`). */
export function chunkBytes(content: Buffer): ChunkBytes {
  const counts = new Map<number, number>();
  const isText = !content.subarray(0, BINARY_TEST_BYTES).includes(0);
  let [one, other, length] = [0, 0, 0];
  const finish = () => {
    const hash = ((one + Math.imul(other, 0x61)) >>> 0) % HASH_BASE;
    counts.set(hash, (counts.get(hash) ?? 0) + length);
    [one, other, length] = [0, 0, 0];
  };
  for (let at = 0; at < content.length; at += 1) {
    const byte = content[at] as number;
    if (isText && byte === CARRIAGE_RETURN && content[at + 1] === NEWLINE) continue;
    const before = one;
    one = (((one << 7) ^ (other >>> 25)) + byte) >>> 0;
    other = ((other << 7) ^ (before >>> 25)) >>> 0;
    length += 1;
    if (length === CHUNK_BYTES_MAX || byte === NEWLINE) finish();
  }
  // Git before 2.44 leaves out a last line without its newline; the difference is one line at most.
  if (length > 0) finish();
  return counts;
}

/** A file to compare: its size in bytes, and its chunks, which are counted once. */
export interface ComparedFile {
  size: number;
  chunks(): ChunkBytes;
}

/**
 * The share of the source that is in the target, as git's rename detection estimates it.
 * @returns 0 to SCORE_MAX; also 0 if the sizes alone rule out `scoreMin`
 */
export function similarity(source: ComparedFile, target: ComparedFile, scoreMin: number): number {
  const [small, large] = [Math.min(source.size, target.size), Math.max(source.size, target.size)];
  if (target.size === 0 || large * (SCORE_MAX - scoreMin) < (large - small) * SCORE_MAX) return 0;
  let copied = 0;
  const found = target.chunks();
  for (const [hash, bytes] of source.chunks()) copied += Math.min(bytes, found.get(hash) ?? 0);
  return Math.floor((copied * SCORE_MAX) / large);
}
