import type { Budget } from '../budget';
import { compareTrees, type Comparison } from '../content/judge-trees';
import { type CommitGraph, reachableFrom } from '../history/commit-graph';
import { findRun, isText, splitLines } from '../merge/text';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import { TELLING, type UndonePart } from './find-undone';
import type { Histories } from './landings-before';
import type { UndoneKind } from './undone-work';

/** Most entries of the source's commits that are read, and most merges of the target that are made again. */
const ENTRIES_MAX = 50_000;
const MERGES_MAX = 16;

/** How a part was lost. */
export interface Explanation {
  kind: UndoneKind;
  /** The commit of the source; absent if the landing itself lost it. */
  sourceCommitId?: string;
}

interface Explaining extends Pick<Histories, 'graph' | 'store' | 'sourceLine' | 'ofTarget'> {
  budget: Budget;
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
  { graph, ofTarget, sourceLine, source, merges }: Explaining & { source: SourceFiles; merges: MergesAgain },
): Promise<Explanation> {
  const plain = part.isRestored ? 'restored' : 'deleted';
  for (const commitId of sourceLine.slice(0, source.commits)) {
    const [own, ...merged] = graph.get(commitId)?.parentIds ?? [];
    if (own === undefined || source.hasPart(part, commitId)) continue;
    const from = [own, ...merged].find((id) => source.hasPart(part, id));
    if (from === undefined) continue;
    const ofMerge = merged.find((id) => ofTarget.has(id) && source.hasPart(part, id));
    const lost = ofMerge && merges.howLost(part, { commitId, own, ofTarget: ofMerge });
    return { kind: (await lost) || plain, sourceCommitId: commitId };
  }
  // All commits were read, and none of them lost it: they had it not, or have it still.
  return { kind: source.commits === sourceLine.length ? 'dropped_by_landing' : plain };
}

/** The files of a source's commits and their parents. */
class SourceFiles {
  private readonly contents = new Map<string, readonly string[] | undefined>();

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
  hasPart({ work, block }: UndonePart, commitId: string): boolean {
    const { graph, store } = this.reading;
    const entry = this.entries.get(treeOf(commitId, graph, store))?.get(work.at.path);
    if (block === undefined) return isSameEntry(entry, work.made);
    return this.hasLines(entry, block.lines) === (block.in === 'target');
  }

  private hasLines(entry: TreeEntry | undefined, lines: readonly string[]): boolean {
    const content = this.linesOf(entry);
    const telling = lines.filter((line) => TELLING.test(line));
    this.reading.budget.texts.steps.spend(content.length);
    if (telling.length === 0) return findRun(content, lines) !== undefined;
    const known = new Set(content);
    return telling.filter((line) => known.has(line)).length * 2 > telling.length;
  }

  private linesOf(entry: TreeEntry | undefined): readonly string[] {
    if (entry === undefined || !isRegularFile(entry)) return [];
    const { store, budget } = this.reading;
    const known = this.contents.get(entry.id);
    if (known !== undefined) return known;
    const content = store.read(entry.id, 'blob');
    const lines = isText(content, budget.texts) ? splitLines(content) : [];
    this.contents.set(entry.id, lines);
    return lines;
  }
}

const treeOf = (id: string, graph: CommitGraph, store: ObjectStore): string =>
  graph.get(id)?.treeId ?? store.commit(id).treeId;

/** A merge of the target into a source. Ids of commits. */
interface MergeOfTarget {
  commitId: string;
  own: string;
  ofTarget: string;
}

/** Makes merges of the target into a source again, each once. */
class MergesAgain {
  private readonly made = new Map<string, Comparison | undefined>();

  constructor(private readonly reading: Explaining) {}

  /** @returns undefined if the merge is as git makes it, or cannot be made again */
  async howLost(
    { work: { at } }: UndonePart,
    merge: MergeOfTarget,
  ): Promise<'dropped_by_merge' | 'dropped_in_conflict' | undefined> {
    const { commitId } = merge;
    if (!this.made.has(commitId)) {
      if (this.made.size === MERGES_MAX) return undefined;
      this.made.set(commitId, await this.compare(merge));
    }
    const compared = this.made.get(commitId);
    const isAt = ({ path }: { path: string }) => path === at.path;
    if (compared?.deviations.some(isAt)) return 'dropped_by_merge';
    const decided = [...(compared?.refused ?? []), ...(compared?.places ?? [])];
    return decided.some(isAt) ? 'dropped_in_conflict' : undefined;
  }

  private async compare({ commitId, own, ofTarget }: MergeOfTarget): Promise<Comparison | undefined> {
    const { graph, store, budget } = this.reading;
    const [base, ...others] = mergeBasesIn(graph, own, ofTarget);
    if (base === undefined || others.length > 0) return undefined;
    await store.loadCommits([commitId, own, ofTarget, base]);
    const tree = (id: string) => store.commit(id).treeId;
    const trees = { base: tree(base), ours: tree(own), theirs: tree(ofTarget), landed: tree(commitId) };
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
