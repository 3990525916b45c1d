import { isSize } from './tree-size';

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;

/**
 * A tile: `width` neighbouring hashes of the log, each of which covers 256^level entries. All widths are 256, save that of
 * the last tile of a level. C2SP tlog-tiles, "Merkle Tree".
 */
export interface Tile {
  level: number;
  index: number;
  /** 1 to 256. */
  width: number;
}

/** A bundle: the entries from `index` * 256 on, `width` of them. C2SP tlog-tiles, "Log entries". */
export interface Bundle {
  index: number;
  /** 1 to 256. */
  width: number;
}

/** A file of a log's folder: a tile, the bundle of its entries, or what is disclosed of these entries. */
export type LogFile =
  ({ kind: 'tile' } & Tile) | ({ kind: 'entries' } & Bundle) | ({ kind: 'disclosed' } & Bundle);

const LEVEL_MAX = 63;
const PATH = /^(?:tile\/(\d{1,2}|entries)|(disclosed))\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/;

/** The path of a file below the log's folder, such as `tile/0/x001/234` or `tile/entries/000.p/17`. */
export function logPath(file: LogFile): string {
  const folder = file.kind === 'tile' ? `tile/${file.level}` : FOLDERS[file.kind];
  const suffix = file.width === TILE_WIDTH ? '' : `.p/${file.width}`;
  return `${folder}/${indexPath(file.index)}${suffix}`;
}

const FOLDERS = { entries: 'tile/entries', disclosed: 'disclosed' };

/** Reads a path back; undefined for a text that `logPath` never gives. */
export function parseLogPath(path: string): LogFile | undefined {
  const match = PATH.exec(path);
  if (match === null) return undefined;
  const [, folder, disclosed, groups = '', partial] = match;
  const bundle = { index: Number(groups.replace(/[x/]/g, '')), width: Number(partial ?? TILE_WIDTH) };
  const isBundle = isSize(bundle.index) && bundle.width >= 1 && bundle.width <= TILE_WIDTH;
  const level = Number(folder);
  const file: LogFile =
    disclosed !== undefined
      ? { kind: 'disclosed', ...bundle }
      : folder === 'entries'
        ? { kind: 'entries', ...bundle }
        : { kind: 'tile', level, ...bundle };
  if (!isBundle || (file.kind === 'tile' && level > LEVEL_MAX)) return undefined;
  // A text with needless zeros, or with the width of a full tile, is another one than that of its file.
  return logPath(file) === path ? file : undefined;
}

/** The index in groups of three digits, all but the last with an `x` before: a folder never has a file's name. */
function indexPath(index: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/\d{3}/g)!;
  return groups.map((group, at) => (at === groups.length - 1 ? group : `x${group}`)).join('/');
}

/** The tiles of a log of `size` entries, by level and index. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    for (const bundle of bundlesOf(hashes)) yield { level, ...bundle };
  }
}

/** The bundles of a log of `size` entries, by index. */
export function* bundlesOf(size: number): Generator<Bundle> {
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    yield { index, width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH) };
  }
}
