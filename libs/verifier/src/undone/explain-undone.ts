import type { UndoneKind } from '@plat/contracts/core';
import type { Budget } from '../budget';
import { compareTrees, type Comparison } from '../content/judge-trees';
import { type CommitGraph, reachableFrom } from '../history/commit-graph';
import { countLines, isText, splitLines } from '../merge/text';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { UndonePart } from './find-undone';
import type { Histories } from './landings-before';

/** Most entries of the source's commits that are read, and most merges of the target that are made again. */
const ENTRIES_MAX = 50_000;
const MERGES_MAX = 16;

/** How a part was lost. */
export interface Explanation {
  kind: UndoneKind;
  /** The commit of the source; absent if the landing itself lost it. */
  sourceCommitId?: string;
}

interface Explaining extends Pick<Histories, 'graph' | 'store' | 'sourceLine' | 'ofTarget' | 'ofSource'> {
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
  const source = await SourceFiles.read([...new Set(parts.map(({ work }) => work.at.path))], explaining);
  const merges = new MergesAgain(explaining);
  const explanations: Explanation[] = [];
  for (const part of parts) explanations.push(await explain(part, { ...explaining, source, merges }));
  return explanations;
}

async function explain(
  part: UndonePart,
  {
    graph,
    landing,
    ofTarget,
    ofSource,
    sourceLine,
    source,
    merges,
  }: Explaining & { source: SourceFiles; merges: MergesAgain },
): Promise<Explanation> {
  const plain = part.isRestored ? 'restored' : 'deleted';
  for (const commitId of sourceLine.slice(0, source.commits)) {
    const commit = graph.get(commitId);
    const [own, ...merged] = commit?.parentIds ?? [];
    if (commit === undefined || own === undefined || source.hasPart(part, commitId)) continue;
    const from = [own, ...merged].find((id) => source.hasPart(part, id));
    if (from === undefined) continue;
    const ofMerge = merged.find((id) => ofTarget.has(id) && source.hasPart(part, id));
    const lost = ofMerge && merges.howLost(part, { treeId: commit.treeId, own, other: ofMerge });
    return { kind: (await lost) || plain, sourceCommitId: commitId };
  }
  const [tip] = sourceLine;
  const isKept = tip === undefined || (source.commits > 0 && source.hasPart(part, tip));
  if (!isKept && ofSource.has(part.work.commitId)) return { kind: plain };
  const lost = tip && (await merges.howLost(part, { treeId: landing.treeId, own: landing.onto, other: tip }));
  return { kind: lost === 'dropped_by_merge' ? 'dropped_by_landing' : lost || plain };
}

/** The files of a source's commits and their parents. */
class SourceFiles {
  /** How often a file has each line, by its id. */
  private readonly counts = new Map<string, ReadonlyMap<string, number>>();

  private constructor(
    private readonly entries: ReadonlyMap<string, ReadonlyMap<string, TreeEntry>>,
    /** How many of the source's commits were read, newest first. */
    readonly commits: number,
    private readonly reading: Explaining,
  ) {}

  static async read(paths: readonly string[], reading: Explaining): Promise<SourceFiles> {
    const { graph, sourceLine, store } = reading;
    const commits = Math.min(sourceLine.length, Math.floor(ENTRIES_MAX / 3 / paths.length));
    const ids = sourceLine.slice(0, commits).flatMap((id) => [id, ...(graph.get(id)?.parentIds ?? [])]);
    await store.loadCommits([...new Set(ids)].filter((id) => !graph.has(id)));
    const treeIds = [...new Set(ids.map((id) => treeOf(id, graph, store)))];
    const entries = await entriesAt(store, treeIds, paths);
    const files = [...entries.values()].flatMap((of) => [...of.values()].filter(isRegularFile));
    await store.load(files.map(({ id }) => id));
    return new SourceFiles(entries, commits, reading);
  }

  /** Whether a commit has a part of an earlier landing, most of it at least. */
  hasPart({ work, block, marks }: UndonePart, commitId: string): boolean {
    const { graph, store } = this.reading;
    const entry = this.entries.get(treeOf(commitId, graph, store))?.get(work.at.path);
    if (block === undefined) return isSameEntry(entry, work.made);
    const counts = this.countsOf(entry);
    const has = marks.filter(({ line, landed }) => {
      const count = counts.get(line) ?? 0;
      return block.in === 'target' ? count > landed : count < landed;
    });
    return has.length * 2 > marks.length;
  }

  private countsOf(entry: TreeEntry | undefined): ReadonlyMap<string, number> {
    if (entry === undefined || !isRegularFile(entry)) return new Map();
    const { store, budget } = this.reading;
    const known = this.counts.get(entry.id);
    if (known !== undefined) return known;
    const content = store.read(entry.id, 'blob');
    const lines = isText(content, budget.texts) ? splitLines(content) : [];
    budget.texts.steps.spend(lines.length);
    const counts = countLines(lines);
    this.counts.set(entry.id, counts);
    return counts;
  }
}

const treeOf = (id: string, graph: CommitGraph, store: ObjectStore): string =>
  graph.get(id)?.treeId ?? store.commit(id).treeId;

/** A merge of the target into a source, or the landing: the tree that was made, and the ids of the two commits. */
interface MadeMerge {
  treeId: string;
  own: string;
  other: string;
}

/** Makes merges again, each once. */
class MergesAgain {
  /** The comparisons; the keys are the ids of the tree and of the two commits. */
  private readonly made = new Map<string, Comparison | undefined>();

  constructor(private readonly reading: Explaining) {}

  /** @returns undefined if the merge is as git makes it, or cannot be made again */
  async howLost(
    { work: { at } }: UndonePart,
    merge: MadeMerge,
  ): Promise<'dropped_by_merge' | 'dropped_in_conflict' | undefined> {
    // The landing of a source can have the tree of a merge in it.
    const key = `${merge.treeId} ${merge.own} ${merge.other}`;
    if (!this.made.has(key)) {
      if (this.made.size === MERGES_MAX) return undefined;
      this.made.set(key, await this.compare(merge));
    }
    const compared = this.made.get(key);
    const isAt = ({ path }: { path: string }) => path === at.path;
    if (compared?.deviations.some(isAt)) return 'dropped_by_merge';
    const decided = [...(compared?.refused ?? []), ...(compared?.places ?? [])];
    return decided.some(isAt) ? 'dropped_in_conflict' : undefined;
  }

  private async compare({ treeId, own, other }: MadeMerge): Promise<Comparison | undefined> {
    const { graph, store, budget } = this.reading;
    const [base, ...others] = mergeBasesIn(graph, own, other);
    if (base === undefined || others.length > 0) return undefined;
    await store.loadCommits([own, other, base]);
    const tree = (id: string) => store.commit(id).treeId;
    const trees = { base: tree(base), ours: tree(own), theirs: tree(other), landed: treeId };
    return compareTrees(trees, { store, budget });
  }
}

/** The merge bases of two commits, as far as the history that was read shows them. */
function mergeBasesIn(graph: CommitGraph, one: string, other: string): string[] {
  const ofOther = reachableFrom(graph, [other]);
  const common = [...reachableFrom(graph, [one])].filter((id) => ofOther.has(id));
  const older = new Set(common.flatMap((id) => graph.get(id)?.parentIds ?? []));
  return common.filter((id) => !older.has(id));
}
