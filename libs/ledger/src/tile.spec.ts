import { bundlesOf, type LogFile, logPath, parseLogPath, tilesOf } from './tile';

const PATHS: [string, LogFile][] = [
  ['tile/0/000', { kind: 'tile', level: 0, index: 0, width: 256 }],
  ['tile/0/x001/x234/067', { kind: 'tile', level: 0, index: 1_234_067, width: 256 }],
  ['tile/1/000.p/1', { kind: 'tile', level: 1, index: 0, width: 1 }],
  ['tile/63/999.p/255', { kind: 'tile', level: 63, index: 999, width: 255 }],
  ['tile/entries/x001/000.p/17', { kind: 'entries', index: 1000, width: 17 }],
  ['disclosed/x001/000', { kind: 'disclosed', index: 1000, width: 256 }],
  ['tile/0/x009/x007/x199/x254/x740/991', { kind: 'tile', level: 0, index: 2 ** 53 - 1, width: 256 }],
];

describe('the path of a tile', () => {
  it.each(PATHS)('%s', (path, file) => {
    expect(logPath(file)).toBe(path);
    expect(parseLogPath(path)).toEqual(file);
  });

  it.each([
    'checkpoint',
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/001',
    'tile/0/001/002',
    'tile/0/x001/x002',
    'tile/0/000.p/0',
    'tile/0/000.p/00',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p',
    'tile/0/000.p/1/',
    '/tile/0/000',
    'tile/0/../0/000',
    'tile/0/000\n',
    'tile/disclosed/000',
    'entries/000',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/0/٠٠٠',
  ])('is not %j', (path) => {
    expect(parseLogPath(path)).toBeUndefined();
  });
});

describe('the tiles of a log', () => {
  it('of 70,000 entries are those of the example of C2SP tlog-tiles', () => {
    const tiles = [...tilesOf(70_000)];
    const partial = tiles.filter(({ width }) => width < 256);
    expect(tiles).toHaveLength(273 + 1 + 1 + 1 + 1);
    expect(partial).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
  });

  it('of 256 entries are a full one and one of a single hash', () => {
    expect([...tilesOf(256)]).toEqual([
      { level: 0, index: 0, width: 256 },
      { level: 1, index: 0, width: 1 },
    ]);
  });

  it('of no entries are none', () => {
    expect([...tilesOf(0), ...bundlesOf(0)]).toEqual([]);
  });
});
