import { unreadable } from '../remote-failure';

export interface TreeEntry {
  /**
   * Octal, in git's own spelling, even if an old tool wrote it differently: `100644`, `100755`, `120000`, `160000` or
   * `40000`.
   */
  mode: string;
  id: string;
}

const SPACE = 0x20;
const ID_BYTES = 20;

/**
 * The entries of a tree object by name. Names are kept byte by byte (latin1), because they need not be text.
 *
 * @param names if given, only these are returned
 * @throws RemoteFailure remote_unreadable
 */
export function readTree(content: Buffer, names?: { has(name: string): boolean }): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  let position = 0;
  while (position < content.length) {
    const space = content.indexOf(SPACE, position);
    const zero = space < 0 ? -1 : content.indexOf(0, space);
    const end = zero + 1 + ID_BYTES;
    if (zero < 0 || end > content.length) throw unreadable('malformed tree');
    const name = content.toString('latin1', space + 1, zero);
    if (names === undefined || names.has(name)) {
      // Readers disagree on two entries of one name, so the content of a checkout would be ambiguous.
      if (entries.has(name) || name === '' || name.includes('/')) throw unreadable('malformed tree');
      entries.set(name, {
        mode: canonicalMode(content.toString('latin1', position, space)),
        id: content.toString('hex', zero + 1, end),
      });
    }
    position = end;
  }
  return entries;
}

const MODES = new Set(['100644', '100755', '120000', '160000', '40000']);

/** The mode as git's `canon_mode` has it: old tools wrote `040000`, `100664` and others. */
function canonicalMode(written: string): string {
  if (MODES.has(written)) return written;
  if (!/^[0-7]{1,7}$/.test(written)) throw unreadable('malformed tree');
  const mode = Number.parseInt(written, 8);
  switch (mode & 0o170000) {
    case 0o100000:
      return mode & 0o100 ? '100755' : '100644';
    case 0o120000:
      return '120000';
    case 0o040000:
      return '40000';
    default:
      return '160000';
  }
}

export function isDirectory(entry: TreeEntry | undefined): boolean {
  return entry?.mode === '40000';
}

/** A file with content of its own: neither a symbolic link nor a submodule. */
export function isRegularFile(entry: TreeEntry): boolean {
  return entry.mode === '100644' || entry.mode === '100755';
}

export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.id === other?.id;
}
