import { EMPTY_ROOT, HASH_BYTES, nodeHash, sameHash } from './hashes';
import { consistencyPath, inclusionPath, type Sibling } from './proof-path';
import { isSize, type TreeHead } from './tree-size';

/**
 * Whether a proof shows that the entry with this hash is the log's entry `index`.
 *
 * @param hashes as `inclusionProof` gives them
 */
export function verifyInclusion(
  { index, leafHash, head }: { index: number; leafHash: Uint8Array; head: TreeHead },
  hashes: readonly Uint8Array[],
): boolean {
  const { size, rootHash } = head;
  if (!isSize(index) || !isSize(size) || index >= size || ![leafHash, ...hashes].every(isHash)) return false;
  const path = inclusionPath(index, size);
  return hashes.length === path.length && sameHash(climb(leafHash, path, hashes), rootHash);
}

/**
 * Whether a proof shows that the log `to` begins with the log `from`: that nothing before was changed, removed or put in.
 *
 * @param hashes as `consistencyProof` gives them; none for equal sizes, nor from the log without entries
 */
export function verifyConsistency(
  { from, to }: { from: TreeHead; to: TreeHead },
  hashes: readonly Uint8Array[],
): boolean {
  if (!isSize(from.size) || !isSize(to.size) || from.size > to.size) return false;
  if (![from.rootHash, to.rootHash, ...hashes].every(isHash)) return false;
  const isFromEmpty = from.size === 0;
  if (isFromEmpty && !sameHash(from.rootHash, EMPTY_ROOT)) return false;
  if (from.size === to.size) return hashes.length === 0 && sameHash(from.rootHash, to.rootHash);
  if (isFromEmpty) return hashes.length === 0;
  const { common, path } = consistencyPath(from.size, to.size);
  const [start, ...siblings] = common.start === 0 ? [from.rootHash, ...hashes] : hashes;
  if (start === undefined || siblings.length !== path.length) return false;
  // The older log has no entry to the right of the common subtree, so it consists of the siblings to the left alone.
  const older = path.flatMap((sibling, at) => (sibling.side === 'left' ? [at] : []));
  const olderRoot = climb(start, pick(path, older), pick(siblings, older));
  return sameHash(olderRoot, from.rootHash) && sameHash(climb(start, path, siblings), to.rootHash);
}

/** The root above a subtree, by its siblings and their hashes. */
function climb(start: Uint8Array, path: readonly Sibling[], hashes: readonly Uint8Array[]): Uint8Array {
  return path.reduce(
    (hash, { side }, at) => (side === 'left' ? nodeHash(hashes[at]!, hash) : nodeHash(hash, hashes[at]!)),
    start,
  );
}

const isHash = ({ length }: Uint8Array): boolean => length === HASH_BYTES;

const pick = <Item>(items: readonly Item[], positions: readonly number[]): Item[] =>
  positions.map((at) => items[at]!);
