import { CompactRange } from './compact-range';
import { leafHash } from './hashes';
import { TILE_WIDTH, tilesOf } from './tile';
import { type BuiltTile, TileBuilder } from './tile-builder';

const hashOf = (index: number) => leafHash(Buffer.from(`entry ${index}`));
const SIZES = [0, 1, 255, 256, 257, 511, 512, 513, 65_539];

function built(size: number) {
  const builder = new TileBuilder();
  const full = [];
  for (let index = 0; index < size; index += 1) full.push(...builder.append(hashOf(index)));
  return { builder, full };
}

describe('the builder of tiles', () => {
  it.each(SIZES)('gives each tile of a log of %d entries once', (size) => {
    const { builder, full } = built(size);
    const places = [...full, ...builder.partialTiles()].map(({ level, index, width }) => ({
      level,
      index,
      width,
    }));
    const byPlace = (one: { level: number; index: number }, other: typeof one) =>
      one.level - other.level || one.index - other.index;
    expect(places.sort(byPlace)).toEqual([...tilesOf(size)]);
    expect(full.every(({ width, hashes }) => width === TILE_WIDTH && hashes.length === 8192)).toBe(true);
  });

  it.each(SIZES)('goes on with a log of %d entries from its partial tiles', (size) => {
    const { builder } = built(size);
    const restored = TileBuilder.restore(size, builder.partialTiles());
    expect(restored.root()).toEqual(builder.root());
    const completed: [BuiltTile[], BuiltTile[]] = [[], []];
    for (let index = size; index < size + 300; index += 1) {
      completed[0].push(...builder.append(hashOf(index)));
      completed[1].push(...restored.append(hashOf(index)));
    }
    expect(completed[1]).toEqual(completed[0]);
    expect(restored.root()).toEqual(builder.root());
    expect(restored.partialTiles()).toEqual(builder.partialTiles());
  });

  it('goes on with no other tiles than the partial ones of the size', () => {
    const [tile] = built(3).builder.partialTiles();
    expect(() => TileBuilder.restore(3, [])).toThrow(RangeError);
    expect(() => TileBuilder.restore(4, [tile!])).toThrow(RangeError);
    expect(() => TileBuilder.restore(3, [tile!, { ...tile!, level: 1 }])).toThrow(RangeError);
    expect(() => TileBuilder.restore(3, [{ ...tile!, hashes: tile!.hashes.subarray(1) }])).toThrow(
      RangeError,
    );
    expect(() => TileBuilder.restore(-1, [])).toThrow(RangeError);
  });

  it('keeps what it has given when it goes on', () => {
    const { builder } = built(5);
    const [before] = builder.partialTiles();
    builder.append(hashOf(5));
    expect(before).toMatchObject({ width: 5, hashes: { length: 160 } });
  });
});

describe('a compact range', () => {
  it('is restored from its size and hashes', () => {
    const range = CompactRange.empty();
    for (let index = 0; index < 1000; index += 1) range.append(hashOf(index));
    const restored = CompactRange.restore(range.size, range.hashes);
    range.append(hashOf(1000));
    restored.append(hashOf(1000));
    expect(restored.root()).toEqual(range.root());
  });

  it.each([
    [2, [Buffer.alloc(32), Buffer.alloc(32)]],
    [3, [Buffer.alloc(32)]],
    [1, [Buffer.alloc(31)]],
    [-1, []],
    [0.5, []],
  ])('of %d entries has no other hashes than its size demands', (size, hashes) => {
    expect(() => CompactRange.restore(size, hashes)).toThrow(RangeError);
  });
});
