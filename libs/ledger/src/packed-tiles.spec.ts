import { packedTileReader } from './packed-tiles';

const read = packedTileReader({
  levels: [0, 0, 1],
  indexes: ['3', '4', '0'],
  lengths: [2, 1, 3],
  hashes: Buffer.from('aabccc'),
});

describe('packedTileReader', () => {
  it('reads each tile from its place among the hashes', async () => {
    const tiles = await read([
      { level: 1, index: 0, width: 1 },
      { level: 0, index: 3, width: 1 },
      { level: 0, index: 4, width: 1 },
    ]);
    expect(tiles.map(String)).toEqual(['ccc', 'aa', 'b']);
  });

  it('rejects a tile that is not there', async () => {
    await expect(read([{ level: 1, index: 1, width: 1 }])).rejects.toThrow('tile 1/1 of a log is missing');
  });
});
