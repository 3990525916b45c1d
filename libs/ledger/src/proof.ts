import { CompactRange, foldRight } from './compact-range';
import { HASH_BYTES } from './hashes';
import { consistencyPath, inclusionPath, type Subtree } from './proof-path';
import { type Tile, TILE_WIDTH } from './tile';
import { demandIndex, demandSizes, powerOfTwoWithin } from './tree-size';

/**
 * Reads tiles: for each its hashes, `width` * 32 bytes. A wider tile of the same level and index serves as well: the
 * hashes after the first `width` are left alone.
 */
export type TileReader = (tiles: readonly Tile[]) => Promise<readonly Uint8Array[]>;

/** The tiles that the proof of an entry's inclusion needs; those of `inclusionProof`, in its order. */
export function tilesOfInclusion(index: number, size: number): Tile[] {
  demandIndex(index, size);
  return tilesOfSubtrees(inclusionPath(index, size), size);
}

/**
 * Proves that the entry `index` is in a log of `size` entries: hashes from the entry upwards. RFC 6962, section 2.1.1.
 *
 * @param read is called once, with the tiles of `tilesOfInclusion`
 * @throws RangeError if there is no such entry
 */
export async function inclusionProof(
  { index, size }: { index: number; size: number },
  read: TileReader,
): Promise<Buffer[]> {
  demandIndex(index, size);
  return hashesOf(inclusionPath(index, size), { size, read });
}

/** The tiles that a proof of consistency needs; those of `consistencyProof`, in its order. */
export function tilesOfConsistency(from: number, to: number): Tile[] {
  demandSizes(from, to);
  return tilesOfSubtrees(provenSubtrees(from, to), to);
}

/**
 * Proves that a log of `to` entries begins with that of `from` entries. RFC 6962, section 2.1.2. The proof is empty for
 * equal sizes and from 0.
 *
 * @param read is called once, with the tiles of `tilesOfConsistency`
 * @throws RangeError if `from` is more than `to`
 */
export async function consistencyProof(
  { from, to }: { from: number; to: number },
  read: TileReader,
): Promise<Buffer[]> {
  demandSizes(from, to);
  return hashesOf(provenSubtrees(from, to), { size: to, read });
}

/** The tiles that `readRange` needs. */
export function tilesOfRange(size: number): Tile[] {
  demandSizes(0, size);
  return tilesOfSubtrees(completeSubtrees({ start: 0, end: size }), size);
}

/** The compact range of the log's first `size` entries, from tiles. */
export async function readRange(size: number, read: TileReader): Promise<CompactRange> {
  demandSizes(0, size);
  const hashes = await hashesOf(completeSubtrees({ start: 0, end: size }), { size, read });
  return CompactRange.restore(size, hashes);
}

function provenSubtrees(from: number, to: number): Subtree[] {
  if (from === 0 || from === to) return [];
  const { common, path } = consistencyPath(from, to);
  return common.start === 0 ? path : [common, ...path];
}

async function hashesOf(
  subtrees: readonly Subtree[],
  { size, read }: { size: number; read: TileReader },
): Promise<Buffer[]> {
  if (subtrees.length === 0) return [];
  const tiles = tilesOfSubtrees(subtrees, size);
  const contents = await read(tiles);
  const byPlace = new Map(tiles.map((tile, at) => [placeOf(tile), contents[at] ?? new Uint8Array()]));
  return subtrees.map((subtree) =>
    foldRight(
      completeSubtrees(subtree).map((complete) => {
        const { tile, first, count } = inTile(complete, size);
        return rootWithin(byPlace.get(placeOf(tile))!, first, count);
      }),
    ),
  );
}

function tilesOfSubtrees(subtrees: readonly Subtree[], size: number): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const complete of subtrees.flatMap(completeSubtrees)) {
    const { tile } = inTile(complete, size);
    tiles.set(placeOf(tile), tile);
  }
  return [...tiles.values()];
}

const placeOf = ({ level, index }: Tile): string => `${level}/${index}`;

/** The complete subtrees into which one divides, from the left; itself alone if it is complete. */
function completeSubtrees({ start, end }: Subtree): Subtree[] {
  const complete: Subtree[] = [];
  for (let at = start; at < end;) {
    const next = at + powerOfTwoWithin(end - at);
    complete.push({ start: at, end: next });
    at = next;
  }
  return complete;
}

/** The hashes from which a complete subtree's root is computed: `count` hashes of a tile, after the first `first`. */
function inTile({ start, end }: Subtree, size: number): { tile: Tile; first: number; count: number } {
  let level = 0;
  let covered = 1;
  while (covered * TILE_WIDTH <= end - start) {
    level += 1;
    covered *= TILE_WIDTH;
  }
  const position = start / covered;
  const index = Math.floor(position / TILE_WIDTH);
  const width = Math.min(TILE_WIDTH, Math.floor(size / covered) - index * TILE_WIDTH);
  return {
    tile: { level, index, width },
    first: position - index * TILE_WIDTH,
    count: (end - start) / covered,
  };
}

function rootWithin(tile: Uint8Array, first: number, count: number): Buffer {
  if (tile.length < (first + count) * HASH_BYTES) throw new RangeError('A tile has too few hashes.');
  const range = CompactRange.empty();
  for (let at = first; at < first + count; at += 1) {
    range.append(tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  }
  return range.root();
}
