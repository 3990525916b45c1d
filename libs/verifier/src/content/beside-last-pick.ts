import { entriesAt } from '../changes/entries-at';
import type { ObjectStore } from '../changes/object-store';
import { findRun, splitLines } from '../merge/text';
import { isRegularFile } from '../pack/tree';
import type { Judgement } from './content-verdict';

/**
 * The verdict on a landing as the source's last commits, if a squash of the whole source decided a conflict. Lines that
 * the last commits do not explain, but that the source's own file has, may be what that decision took from it: so they
 * prove nothing. Other additional lines do.
 *
 * @param trees ids of the source's tree and of the landed one
 * @throws RemoteFailure
 */
export async function besideLastPick(
  store: ObjectStore,
  lastPick: Judgement,
  trees: { source: string; landed: string },
): Promise<Judgement> {
  if (lastPick.verdict !== 'DIVERGENT' || lastPick.reason !== 'extra_content') return lastPick;
  return (await areLinesOfSource(store, lastPick, trees))
    ? { ...lastPick, verdict: 'UNKNOWN', reason: 'conflict_resolved' }
    : lastPick;
}

async function areLinesOfSource(
  store: ObjectStore,
  {
    findings = [],
    findingsLeftOut,
  }: Extract<Judgement, { verdict: 'DIVERGENT' | 'SAME_CHANGE' | 'UNKNOWN' }>,
  trees: { source: string; landed: string },
): Promise<boolean> {
  if (findingsLeftOut !== undefined) return false;
  const places = findings.map(({ path, firstLine, lastLine }) => ({
    path: Buffer.from(path, 'utf8').toString('latin1'),
    firstLine,
    lastLine,
  }));
  const paths = [...new Set(places.map(({ path }) => path))];
  const read = await textsAt(store, [trees.source, trees.landed], paths);
  return places.every(({ path, firstLine, lastLine }) => {
    const [source, landed] = [read(trees.source, path), read(trees.landed, path)];
    if (!source || !landed || firstLine === undefined || lastLine === undefined) return false;
    return findRun(source, landed.slice(firstLine - 1, lastLine)) !== undefined;
  });
}

/** @returns the lines of a tree's file at a path; undefined if it has no regular file there */
async function textsAt(
  store: ObjectStore,
  treeIds: readonly string[],
  paths: readonly string[],
): Promise<(treeId: string, path: string) => string[] | undefined> {
  const found = await entriesAt(store, treeIds, paths);
  const entryAt = (treeId: string, path: string) => {
    const entry = found.get(treeId)?.get(path);
    return entry && isRegularFile(entry) ? entry : undefined;
  };
  await store.load(treeIds.flatMap((treeId) => paths.flatMap((path) => entryAt(treeId, path)?.id ?? [])));
  return (treeId, path) => {
    const entry = entryAt(treeId, path);
    return entry && splitLines(store.read(entry.id, 'blob'));
  };
}
