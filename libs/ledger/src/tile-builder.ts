import { CompactRange } from './compact-range';
import { HASH_BYTES } from './hashes';
import { type Tile, TILE_WIDTH } from './tile';
import { isSize } from './tree-size';

/** A tile with its hashes, `width` * 32 bytes. */
export interface BuiltTile extends Tile {
  hashes: Buffer;
}

const NONE: readonly BuiltTile[] = [];

/** Makes the tiles of a log from its entries, in the order of the entries. It keeps one unfinished tile of each level. */
export class TileBuilder {
  private entries = 0;
  private readonly unfinished: BuiltTile[] = [];

  /**
   * Goes on with a log of `size` entries.
   *
   * @param partial the tiles of that log with fewer than 256 hashes, as `partialTiles` gave them
   * @throws RangeError if these are not the partial tiles of such a log
   */
  static restore(size: number, partial: readonly BuiltTile[]): TileBuilder {
    if (!isSize(size)) throw new RangeError(`No log has ${size} entries.`);
    const builder = new TileBuilder();
    builder.entries = size;
    let given = 0;
    for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / TILE_WIDTH)) {
      const tile = builder.tileAt(level, Math.floor(count / TILE_WIDTH));
      tile.width = count % TILE_WIDTH;
      const hashes = partial.find((other) => other.level === level)?.hashes ?? Buffer.alloc(0);
      if (hashes.length !== tile.width * HASH_BYTES) {
        throw new RangeError(`The partial tile of level ${level} has ${hashes.length} bytes.`);
      }
      tile.hashes.set(hashes);
      given += Number(tile.width > 0);
    }
    if (partial.length !== given) {
      throw new RangeError(`A log of ${size} entries has ${given} partial tiles.`);
    }
    return builder;
  }

  /** The number of entries. */
  get size(): number {
    return this.entries;
  }

  /**
   * @param leafHash of the entry whose index is `size`
   * @returns the tiles that this entry completes, the lowest first; none, after most entries
   */
  append(leafHash: Uint8Array): readonly BuiltTile[] {
    this.entries += 1;
    return this.push(0, leafHash);
  }

  /** The tiles with fewer than 256 hashes, at most one of each level, the lowest first. */
  partialTiles(): BuiltTile[] {
    return this.unfinished
      .filter(({ width }) => width > 0)
      .map((tile) => ({ ...tile, hashes: Buffer.from(tile.hashes.subarray(0, tile.width * HASH_BYTES)) }));
  }

  /** The root of the log. */
  root(): Buffer {
    const levels = this.partialTiles().reverse();
    return CompactRange.restore(
      this.entries,
      levels.flatMap((tile) => [...rangeOver(tile).hashes]),
    ).root();
  }

  private push(level: number, hash: Uint8Array): readonly BuiltTile[] {
    const tile = this.tileAt(level, 0);
    tile.hashes.set(hash, tile.width * HASH_BYTES);
    tile.width += 1;
    if (tile.width < TILE_WIDTH) return NONE;
    this.unfinished[level] = emptyTile(level, tile.index + 1);
    return [tile, ...this.push(level + 1, rangeOver(tile).root())];
  }

  private tileAt(level: number, index: number): BuiltTile {
    return (this.unfinished[level] ??= emptyTile(level, index));
  }
}

const emptyTile = (level: number, index: number): BuiltTile => ({
  level,
  index,
  width: 0,
  hashes: Buffer.alloc(TILE_WIDTH * HASH_BYTES),
});

/** The subtrees over a tile's hashes, as if these were entries. */
function rangeOver({ width, hashes }: BuiltTile): CompactRange {
  const range = CompactRange.empty();
  for (let at = 0; at < width; at += 1) range.append(hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  return range;
}
