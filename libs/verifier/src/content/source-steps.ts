import type { Budget } from '../budget';
import { type ChangedDirectory, type FileChange, filesOf, readChangeSet } from '../changes/change-set';
import { entriesAt } from '../changes/entries-at';
import type { ObjectStore } from '../changes/object-store';
import type { CommitGraph } from '../history/commit-graph';
import { isText, splitLines } from '../merge/text';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';

/** How a commit of the target relates to a source. */
export interface SourceStep {
  commitId: string;
  /** It changes a file that the source changes. */
  touches: boolean;
  /** It adds files of the source, or lines that the source added, at any path, or any file where the source adds one. */
  brings: boolean;
  /** Some file that it changed has its old content again in the target's tip. */
  isTakenBack: boolean;
}

interface Target {
  graph: CommitGraph;
  store: ObjectStore;
  changes: ChangedDirectory;
  /** Tree of the target's tip. */
  target: string;
  budget: Budget;
}

/** Compares some commits of the target with their first parents. @throws RemoteFailure */
export async function stepsOf(commitIds: readonly string[], asked: Target): Promise<SourceStep[]> {
  const { graph, store, changes, target, budget } = asked;
  const files = filesOf(changes);
  const source = await sourceLines(files, store, budget);
  const paths = new Set(files.map(({ path }) => path));
  const added = new Set(files.filter(isAdded).map(({ path }) => path));
  const treeOf = (id: string | undefined) => (id === undefined ? undefined : graph.get(id)?.treeId);
  const steps: SourceStep[] = [];
  for (const commitId of commitIds) {
    const [after, before] = [treeOf(commitId), treeOf(graph.get(commitId)?.parentIds[0])];
    const step: SourceStep = { commitId, touches: false, brings: false, isTakenBack: false };
    steps.push(step);
    if (after === undefined || before === undefined) continue;
    const made = await readChangeSet(store, { baseTreeId: before, sourceTreeId: after }, budget.caps);
    const own = made === undefined ? [] : filesOf(made);
    const now = (
      await entriesAt(
        store,
        [target],
        own.map(({ path }) => path),
      )
    ).get(target);
    step.touches = own.some(({ path }) => paths.has(path));
    step.isTakenBack = own.some(({ path, base }) => isSameEntry(base, now?.get(path)));
    const isPlaced = own.some((file) => isAdded(file) && added.has(file.path));
    step.brings = isPlaced || (await bringsAny(own, source, { store, budget }));
  }
  return steps;
}

const isAdded = ({ base, source }: FileChange): boolean => base === undefined && source !== undefined;

/** The source's additions: ids of whole files, and the lines that a file has in the source but not in the base. */
interface SourceLines {
  files: ReadonlySet<string>;
  lines: ReadonlySet<string>;
}

async function sourceLines(
  files: readonly FileChange[],
  store: ObjectStore,
  budget: Budget,
): Promise<SourceLines> {
  const entries = files.flatMap(({ base, source }) => [base, source]).filter((entry) => entry !== undefined);
  await store.load(entries.filter(isRegularFile).map(({ id }) => id));
  const lines = files.flatMap(({ base, source }) => {
    const known = new Set(linesOf(base, store, budget));
    return linesOf(source, store, budget).filter((line) => !known.has(line) && /\w/.test(line));
  });
  return { files: new Set(files.flatMap(({ source }) => source?.id ?? [])), lines: new Set(lines) };
}

async function bringsAny(
  made: readonly FileChange[],
  { files, lines }: SourceLines,
  { store, budget }: { store: ObjectStore; budget: Budget },
): Promise<boolean> {
  if (made.some(({ source }) => source !== undefined && files.has(source.id))) return true;
  const entries = made.flatMap(({ base, source }) => [base, source]).filter((entry) => entry !== undefined);
  await store.load(entries.filter(isRegularFile).map(({ id }) => id));
  // A file that the commit moved brings only the lines that none of the removed files had.
  const removed = made.flatMap(({ base, source }) => (source ? [] : linesOf(base, store, budget)));
  return made.some(({ base, source }) => {
    const known = new Set(base ? linesOf(base, store, budget) : removed);
    return linesOf(source, store, budget).some((line) => lines.has(line) && !known.has(line));
  });
}

function linesOf(entry: TreeEntry | undefined, store: ObjectStore, { texts }: Budget): string[] {
  if (entry === undefined || !isRegularFile(entry)) return [];
  const content = store.read(entry.id, 'blob');
  return isText(content, texts) ? splitLines(content) : [];
}
