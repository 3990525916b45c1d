import type { UndoneKind } from '@plat/contracts/core';
import type { Budget } from '../budget';
import type { CommitGraph } from '../history/commit-graph';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, type TreeEntry } from '../pack/tree';
import { countWanted } from './count-wanted';
import type { UndonePart } from './find-undone';
import type { Histories } from './landings-before';
import { MergesAgain } from './merges-again';

/** Most entries of the source's commits that are read. */
const ENTRIES_MAX = 50_000;

/** How a part was lost. */
export interface Explanation {
  kind: UndoneKind;
  /** The commit of the source; absent if the landing itself lost it. */
  sourceCommitId?: string;
}

interface Explaining extends Pick<Histories, 'graph' | 'store' | 'sourceTip' | 'own' | 'ofSource'> {
  budget: Budget;
  landing: { treeId: string; onto: string };
}

/**
 * Finds the commits of a source that lost parts of earlier landings, and how.
 *
 * @returns an explanation for each part
 * @throws RemoteFailure
 */
export async function explainParts(
  parts: readonly UndonePart[],
  explaining: Explaining,
): Promise<Explanation[]> {
  if (parts.length === 0) return [];
  const source = await SourceFiles.read(parts, explaining);
  const merges = new MergesAgain(explaining);
  const explanations: Explanation[] = [];
  for (const part of parts) explanations.push(await explain(part, { ...explaining, source, merges }));
  return explanations;
}

async function explain(
  part: UndonePart,
  explaining: Explaining & { source: SourceFiles; merges: MergesAgain },
): Promise<Explanation> {
  const { landing, sourceTip, ofSource, source, merges } = explaining;
  const bySource = await explainBySource(part, explaining);
  if (bySource !== undefined) return bySource;
  const kind = kindOf(part);
  const isKept = source.has(sourceTip) && source.hasPart(part, sourceTip);
  if (!isKept && ofSource.has(part.work.commitId)) return { kind };
  const lost = await merges.howLost(part, { treeId: landing.treeId, own: landing.onto, other: sourceTip });
  return { kind: lost === 'dropped_by_merge' ? 'dropped_by_landing' : (lost ?? kind) };
}

const kindOf = ({ restored }: UndonePart): UndoneKind => (restored === undefined ? 'deleted' : 'restored');

/**
 * Walks from the source's tip through its commits that lack a part, of whatever branch they were merged from, to the nearest one
 * that lost it. A merge that is as git makes it lost nothing: its parent without the part did.
 */
async function explainBySource(
  part: UndonePart,
  { graph, sourceTip, source, merges }: Explaining & { source: SourceFiles; merges: MergesAgain },
): Promise<Explanation | undefined> {
  const kind = kindOf(part);
  let byMerge: Explanation | undefined;
  // A Set's iteration includes elements that are added during it.
  const lacking = new Set([sourceTip]);
  for (const commitId of lacking) {
    const commit = graph.get(commitId);
    if (commit === undefined || !source.has(commitId) || source.hasPart(part, commitId)) continue;
    const { parentIds, treeId } = commit;
    const without = parentIds.filter((id) => !source.hasPart(part, id));
    const other = parentIds.find((id) => !without.includes(id));
    const own = without[0] ?? parentIds.find((id) => id !== other);
    if (other !== undefined) {
      if (own === undefined) return { kind, sourceCommitId: commitId };
      const lost = await merges.howLost(part, { treeId, own, other });
      if (lost !== undefined) return { kind: lost, sourceCommitId: commitId };
      byMerge ??= { kind, sourceCommitId: commitId };
    }
    for (const id of without) lacking.add(id);
  }
  return byMerge;
}

/** The files of a source's commits and their parents. */
class SourceFiles {
  /** How often a file has the lines that are asked for, by its id and path. */
  private readonly counts = new Map<string, ReadonlyMap<string, number>>();

  private constructor(
    private readonly entries: ReadonlyMap<string, ReadonlyMap<string, TreeEntry>>,
    /** The commits of the source that were read. */
    private readonly commits: ReadonlySet<string>,
    /** The distinctive lines of the parts, by path. */
    private readonly lines: ReadonlyMap<string, ReadonlySet<string>>,
    private readonly reading: Explaining,
  ) {}

  static async read(parts: readonly UndonePart[], reading: Explaining): Promise<SourceFiles> {
    const { graph, own, store } = reading;
    const lines = new Map<string, Set<string>>();
    for (const { work, marks } of parts) {
      const known = lines.get(work.at.path) ?? new Set();
      for (const { line } of marks) known.add(line);
      lines.set(work.at.path, known);
    }
    const paths = [...new Set(parts.flatMap(({ work: { at } }) => [at.path, at.landedPath]))];
    const commits = own.slice(0, Math.floor(ENTRIES_MAX / 3 / paths.length));
    const ids = commits.flatMap((id) => [id, ...(graph.get(id)?.parentIds ?? [])]);
    await store.loadCommits([...new Set(ids)].filter((id) => !graph.has(id)));
    const treeIds = [...new Set(ids.map((id) => treeOf(id, graph, store)))];
    const entries = await entriesAt(store, treeIds, paths);
    const files = [...entries.values()].flatMap((of) => [...of.values()].filter(isRegularFile));
    await store.load(files.map(({ id }) => id));
    return new SourceFiles(entries, new Set(commits), lines, reading);
  }

  has(commitId: string): boolean {
    return this.commits.has(commitId);
  }

  /** Whether a commit has a part of an earlier landing, most of it at least. */
  hasPart({ work, block, marks, isIn }: UndonePart, commitId: string): boolean {
    const { graph, store } = this.reading;
    const { path, landedPath } = work.at;
    const entries = this.entries.get(treeOf(commitId, graph, store));
    const entry = entries?.get(path) ?? entries?.get(landedPath);
    if (block === undefined) return isIn?.(entry) === true;
    const counts = this.countsOf(entry, path);
    const has = marks.filter(({ line, landed }) => {
      const count = counts.get(line) ?? 0;
      return block.in === 'target' ? count > landed : count < landed;
    });
    return has.length * 2 > marks.length;
  }

  private countsOf(entry: TreeEntry | undefined, path: string): ReadonlyMap<string, number> {
    const wanted = this.lines.get(path);
    if (entry === undefined || wanted === undefined || !isRegularFile(entry)) return new Map();
    const { store, budget } = this.reading;
    const key = `${entry.id} ${path}`;
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const counts = countWanted(store.read(entry.id, 'blob'), wanted, budget.texts.steps);
    this.counts.set(key, counts);
    return counts;
  }
}

const treeOf = (id: string, graph: CommitGraph, store: ObjectStore): string =>
  graph.get(id)?.treeId ?? store.commit(id).treeId;
