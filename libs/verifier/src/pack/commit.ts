import { unreadable } from '../remote-failure';
import { isObjectId } from './object-id';

export interface Commit {
  treeId: string;
  /** In git's order: the first one is the branch that was merged into. */
  parentIds: readonly string[];
  /** The committer's clock, in seconds since 1970; absent if the commit does not say it as git does. */
  committedAt?: number;
  /** The ids, or their first digits, behind `This reverts commit` in the message; absent if there is none. */
  revertedIds?: readonly string[];
  /** The lines of the message with a word of reverting or undoing; absent if there is none. */
  revertLines?: readonly string[];
}

const TREE = Buffer.from('tree ');
const PARENT = Buffer.from('parent ');
const AUTHOR = Buffer.from('author ');
const REVERTS = Buffer.from('This reverts commit ');
/** Most reverts that a commit can name, and the longest line of a committer in bytes. */
const REVERTS_MAX = 100;
/** Most lines that are kept of a message, and their longest length in characters. */
const LINES_MAX = 20;
const LINE_LENGTH_MAX = 500;
const REVERT_WORD = /revert|undo/i;
const PERSON_LINE_MAX = 4_096;
const ID_CHARS = 40;
const NEWLINE = 0x0a;

/**
 * Parses the head of a commit object, by position: `tree <id>`, then any number of `parent <id>`, then `author `.
 * @throws RemoteFailure remote_unreadable on anything else (`parent ../../x`, a second tree)
 */
export function parseCommit(content: Buffer): Commit {
  const treeId = idAfter(content, 0, TREE);
  const parentIds: string[] = [];
  let position = TREE.length + ID_CHARS + 1;
  while (startsWith(content, position, PARENT)) {
    parentIds.push(idAfter(content, position, PARENT));
    position += PARENT.length + ID_CHARS + 1;
  }
  if (!startsWith(content, position, AUTHOR)) throw unreadable('malformed commit');
  const said = { ...readReverts(content, position), ...readRevertLines(content, position) };
  return { treeId, parentIds, ...readTime(content, position), ...said };
}

/** @param position of the author's line, which the committer's follows */
function readTime(content: Buffer, position: number): Pick<Commit, 'committedAt'> {
  const start = content.indexOf(NEWLINE, position) + 1;
  const end = content.indexOf(NEWLINE, start);
  if (start === 0 || end < 0 || end - start > PERSON_LINE_MAX) return {};
  const [, seconds] =
    /^committer .*> (\d{1,12}) [+-]\d{4}$/.exec(content.toString('latin1', start, end)) ?? [];
  return seconds === undefined ? {} : { committedAt: Number(seconds) };
}

function readReverts(content: Buffer, position: number): Pick<Commit, 'revertedIds'> {
  const ids: string[] = [];
  for (let at = content.indexOf(REVERTS, position); at >= 0 && ids.length < REVERTS_MAX;) {
    const start = at + REVERTS.length;
    const [id] = /^[0-9a-f]{7,40}/.exec(content.toString('latin1', start, start + ID_CHARS)) ?? [];
    if (id !== undefined) ids.push(id);
    at = content.indexOf(REVERTS, start);
  }
  return ids.length === 0 ? {} : { revertedIds: ids };
}

/** @param position of the author's line */
function readRevertLines(content: Buffer, position: number): Pick<Commit, 'revertLines'> {
  const start = content.indexOf('\n\n', position);
  if (start < 0 || !REVERT_WORD.test(content.toString('latin1', start))) return {};
  const lines = content.toString('utf8', start).split('\n');
  const revertLines = lines
    .filter((line) => line.length <= LINE_LENGTH_MAX && REVERT_WORD.test(line))
    .slice(0, LINES_MAX);
  return revertLines.length === 0 ? {} : { revertLines };
}

function idAfter(content: Buffer, position: number, word: Buffer): string {
  const start = position + word.length;
  if (!startsWith(content, position, word) || content[start + ID_CHARS] !== NEWLINE) {
    throw unreadable('malformed commit');
  }
  const id = content.toString('latin1', start, start + ID_CHARS);
  if (!isObjectId(id)) throw unreadable('malformed commit');
  return id;
}

function startsWith(content: Buffer, position: number, word: Buffer): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (content[position + index] !== word[index]) return false;
  }
  return true;
}
