import { dirname, join } from 'node:path';
import { isCommitId, isVersion } from '@plat/contracts/core';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import { commitOf, requireCleanTree } from '../checkout/checkout';
import { checkoutFolder } from '../checkout/checkout-lock';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';

/** Most builds that are kept, the newest. */
const BUILDS_MAX = 50;
/** The notes of as many builds have fewer bytes. */
const BYTES_MAX = 64 * 1024;

/** A successful build of a commit in this checkout. */
export interface NotedBuild {
  commitId: string;
  version: string;
}

/**
 * Runs a build and notes a success for `plat submit`, if it was of the checked-out commit: without changes before it,
 * and with the same commit after it. A build that fails removes the note of an earlier success of that commit.
 *
 * @param git of the checkout; undefined outside one
 */
export async function runNotedBuild<T extends { version: string }>(
  git: Git | undefined,
  build: () => Promise<T>,
): Promise<T> {
  const commitId = git && (await cleanCommit(git));
  if (!git || commitId === undefined) return build();
  try {
    const built = await build();
    if ((await commitOf(git, 'HEAD')) === commitId) {
      await changeNotes(git, (notes) => [{ commitId, version: built.version }, ...without(notes, commitId)]);
    }
    return built;
  } catch (error) {
    await changeNotes(git, (notes) => without(notes, commitId));
    throw error;
  }
}

/** The newest successful build of the commit in this checkout. */
export async function findNotedBuild(git: Git, commitId: string): Promise<NotedBuild | undefined> {
  const notes = await readNotes(git);
  return notes.find((note) => note.commitId === commitId);
}

/** The commit that is checked out without changes; undefined with changes, or in a repository without a commit. */
async function cleanCommit(git: Git): Promise<string | undefined> {
  try {
    return (await requireCleanTree(git)).commit;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

const without = (notes: readonly NotedBuild[], commitId: string) =>
  notes.filter((note) => note.commitId !== commitId);

async function changeNotes(git: Git, change: (notes: NotedBuild[]) => NotedBuild[]): Promise<void> {
  const before = await readNotes(git);
  const after = change(before).slice(0, BUILDS_MAX);
  if (before.length === 0 && after.length === 0) return;
  await writeInPrivateFolder(await notesPath(git), `${JSON.stringify(after)}\n`);
}

async function notesPath(git: Git): Promise<string> {
  return join(await checkoutFolder(git), 'builds.json');
}

/** Reads the notes. A file that is missing, was changed by hand or is no regular one, such as a pipe, has none. */
async function readNotes(git: Git): Promise<NotedBuild[]> {
  const path = await notesPath(git);
  try {
    const text = readRegularFile(path, { bytesMax: BYTES_MAX, inside: dirname(path) }).toString('utf8');
    const notes: unknown = JSON.parse(text);
    return Array.isArray(notes) ? notes.filter(isNote) : [];
  } catch (error) {
    if (error instanceof FileRefused || error instanceof SyntaxError) return [];
    throw error;
  }
}

function isNote(value: unknown): value is NotedBuild {
  const { commitId, version } = (value ?? {}) as Partial<NotedBuild>;
  return (
    typeof commitId === 'string' && isCommitId(commitId) && typeof version === 'string' && isVersion(version)
  );
}
