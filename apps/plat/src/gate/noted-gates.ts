import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import type { Git } from '../git/git';

/** How the last gate of a commit ended in this checkout. */
export interface NotedGate {
  passed: boolean;
  /** RFC 3339 UTC, by this machine's clock. */
  at: string;
}

/** A note has fewer bytes. */
const BYTES_MAX = 4096;
/** Most commits whose gates are kept in a repository. */
const NOTED_MAX = 500;

/** Notes how a gate of a commit ended. A later gate of the same commit replaces the note. */
export async function noteGate(git: Git, commitId: string, passed: boolean): Promise<void> {
  const folder = await notesFolder(git);
  const note: NotedGate = { passed, at: new Date().toISOString() };
  await writeInPrivateFolder(join(folder, fileName(commitId)), `${JSON.stringify(note)}\n`);
  await removeOldest(folder);
}

/** The last gate of a commit in this checkout or in another worktree of its repository. */
export async function readNotedGate(git: Git, commitId: string): Promise<NotedGate | undefined> {
  const text = readNote(join(await notesFolder(git), fileName(commitId)));
  return text === undefined ? undefined : parseNote(text);
}

/** Reads a note. @returns undefined if there is none; empty if something that no gate wrote, such as a pipe, is in its place */
function readNote(path: string): string | undefined {
  try {
    return readRegularFile(path, { bytesMax: BYTES_MAX, inside: dirname(path) }).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return error.fault === 'absent' ? undefined : '';
  }
}

/** One folder for all worktrees, because a gate is about a commit, wherever it was checked out. */
async function notesFolder(git: Git): Promise<string> {
  const common = (await git.run(['rev-parse', '--git-common-dir'])).trim();
  return join(resolve(git.folder, common), 'plat', 'gates');
}

function fileName(commitId: string): string {
  return `${commitId}.json`;
}

/** A note that cannot be read counts as a failed gate: nothing may rest on it. */
function parseNote(text: string): NotedGate {
  try {
    const { passed, at } = JSON.parse(text) as Partial<NotedGate>;
    if (typeof passed === 'boolean' && typeof at === 'string' && !Number.isNaN(Date.parse(at))) {
      return { passed, at };
    }
  } catch {
    // Cut or overwritten, for instance by a full disk.
  }
  return { passed: false, at: new Date().toISOString() };
}

async function removeOldest(folder: string): Promise<void> {
  const files = await readdir(folder);
  if (files.length <= NOTED_MAX) return;
  const aged = await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      // Another gate may remove it at the same moment.
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  const oldest = aged.sort((a, b) => a.at - b.at).slice(0, files.length - NOTED_MAX);
  await Promise.all(oldest.map(({ path }) => rm(path, { force: true })));
}
