import type { TileReader } from './proof';

/** Tiles one after the other, as a database returns them: one value is read much faster than a list of them. */
export interface PackedTiles {
  levels: readonly number[];
  indexes: readonly string[];
  /** Bytes of each tile. */
  lengths: readonly number[];
  /** The hashes of all tiles. */
  hashes: Buffer;
}

/** Reads from tiles that are there already. The reader rejects if one is wanted that is not among them. */
export function packedTileReader({ levels, indexes, lengths, hashes }: PackedTiles): TileReader {
  const tiles = new Map<string, Buffer>();
  let start = 0;
  for (const [place, length] of lengths.entries()) {
    tiles.set(`${levels[place]}/${indexes[place]}`, hashes.subarray(start, (start += length)));
  }
  return async (wanted) =>
    wanted.map(({ level, index }) => {
      const found = tiles.get(`${level}/${index}`);
      if (found === undefined) throw new Error(`tile ${level}/${index} of a log is missing`);
      return found;
    });
}
