import { unreadable } from '../remote-failure';
import { isObjectId } from './object-id';

export interface Commit {
  treeId: string;
  /** In git's order: the first one is the branch that was merged into. */
  parentIds: readonly string[];
}

const TREE = Buffer.from('tree ');
const PARENT = Buffer.from('parent ');
const AUTHOR = Buffer.from('author ');
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
  return { treeId, parentIds };
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
