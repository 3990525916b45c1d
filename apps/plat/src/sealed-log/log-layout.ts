import { parseLogPath, TILE_WIDTH } from '@plat/ledger';

/** The file of an export that is written last. */
export const CHECKPOINT = 'checkpoint';
/** The file that says which log an export is of while it is being written. */
export const UNFINISHED = '.unfinished';
/** Held by an export that runs; one that was killed leaves it. */
export const LOCK = '.lock';
/** Ends the name of a file while it is written; it then gets its own name in one step. */
export const UNWRITTEN = '.unwritten';

/**
 * Whether a name, directly in the folder, is of an export that is under way, or was killed: its lock and what is next to it, its
 * mark, or a checkpoint that is being written.
 */
export function isUnderWay(name: string): boolean {
  const isOfLock = name === LOCK || name.startsWith(`${LOCK}.`);
  return isOfLock || name === UNFINISHED || [UNFINISHED, CHECKPOINT].some((own) => name === own + UNWRITTEN);
}

const FOLDERS = ['tile', 'disclosed'];

/**
 * Whether a path is of the log and so must belong to it. Files next to it, and those that a file manager leaves anywhere
 * (`.DS_Store`), say nothing about the log, and nothing reads them.
 */
export function isOfLog(path: string): boolean {
  const names = path.split('/');
  if (names.some((name) => name.startsWith('.'))) return false;
  return path === CHECKPOINT || FOLDERS.includes(names[0]!);
}

/** Whether the export of a log of `size` entries has a file of this path. */
export function belongs(path: string, size: number): boolean {
  if (path === CHECKPOINT) return true;
  const file = parseLogPath(path);
  if (file === undefined) return false;
  const count = file.kind === 'tile' ? hashesOfLevel(file.level, size) : size;
  return file.width === Math.min(TILE_WIDTH, count - file.index * TILE_WIDTH);
}

/** The first entry that a file is about; undefined for any other file. */
export function firstEntryOf(path: string): number | undefined {
  const file = parseLogPath(path);
  if (file === undefined) return undefined;
  const covered = file.kind === 'tile' ? TILE_WIDTH ** (file.level + 1) : TILE_WIDTH;
  return file.index * covered;
}

function hashesOfLevel(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The tenant that a log's origin names: `<host>/log/<tenantId>`; undefined for another origin. */
export function tenantOf(origin: string): string | undefined {
  return /^[^/]+\/log\/([0-9a-f-]{36})$/.exec(origin)?.[1];
}
