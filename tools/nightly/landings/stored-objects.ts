import { spawn } from 'node:child_process';
import { gitEnvironment } from '@plat/testing';

/** An object of a repository as git stores it. Ids are 40 hex digits. */
export interface StoredObject {
  type: 'commit' | 'tree' | 'blob';
  content: Buffer;
  /** The root directory of a commit. */
  treeId?: string;
  parentIds?: readonly string[];
  /** The entries of a tree. */
  entries?: readonly StoredEntry[];
}

export interface StoredEntry {
  /** `40000` for a directory, `160000` for a submodule, whose commit is not in the repository. */
  mode: string;
  name: string;
  id: string;
}

/**
 * Reads objects of a repository with one process.
 * @param ids default: all objects
 */
export async function readObjects(
  directory: string,
  ids?: readonly string[],
): Promise<Map<string, StoredObject>> {
  const all = ids === undefined ? ['--batch-all-objects', '--unordered'] : [];
  const child = spawn('git', ['cat-file', '--batch', ...all], {
    cwd: directory,
    env: gitEnvironment(),
    // git reads no input for all objects, and may have ended before any is written.
    stdio: [ids === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  child.stdin?.end(ids?.map((id) => `${id}\n`).join(''));
  const parts: Buffer[] = [];
  for await (const part of child.stdout as AsyncIterable<Buffer>) parts.push(part);
  const output = Buffer.concat(parts);
  const objects = new Map<string, StoredObject>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [id = '', type, size] = output.toString('latin1', at, end).split(' ');
    if (size === undefined) throw new Error(`git cat-file: ${id} ${type}`);
    const content = output.subarray(end + 1, end + 1 + Number(size));
    objects.set(id, storedObject(type as StoredObject['type'], content));
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}

function storedObject(type: StoredObject['type'], content: Buffer): StoredObject {
  switch (type) {
    case 'blob':
      return { type, content };
    case 'tree':
      return { type, content, entries: entriesOf(content) };
    case 'commit': {
      const head = content.toString('latin1', 0, content.indexOf('\n\n'));
      const parentIds = [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, id]) => id as string);
      return { type, content, treeId: head.slice('tree '.length, 'tree '.length + 40), parentIds };
    }
  }
}

/** Parses a tree. Each entry is mode, a space, the name, a NUL and 20 bytes of id. */
function entriesOf(tree: Buffer): StoredEntry[] {
  const entries: StoredEntry[] = [];
  for (let at = 0; at < tree.length;) {
    const end = tree.indexOf(0, at);
    const [mode = '', ...name] = tree.toString('latin1', at, end).split(' ');
    entries.push({ mode, name: name.join(' '), id: tree.toString('hex', end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
}
