import { unreadable } from '../remote-failure';
import { isObjectId } from './object-id';

export interface Commit {
  treeId: string;
  /** In git's order: the first one is the branch that was merged into. */
  parentIds: readonly string[];
}

const TREE = 'tree ';
const PARENT = 'parent ';
const ID_CHARS = 40;

/**
 * The head of a commit object, by position: `tree <id>`, then any number of `parent <id>`, then `author `.
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
  if (!startsWith(content, position, 'author ')) throw unreadable('malformed commit');
  return { treeId, parentIds };
}

function idAfter(content: Buffer, position: number, word: string): string {
  const start = position + word.length;
  const id = content.toString('latin1', start, start + ID_CHARS);
  const ends = content[start + ID_CHARS] === 0x0a;
  if (!startsWith(content, position, word) || !isObjectId(id) || !ends) throw unreadable('malformed commit');
  return id;
}

function startsWith(content: Buffer, position: number, word: string): boolean {
  return content.toString('latin1', position, position + word.length) === word;
}
