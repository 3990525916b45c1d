import type { FileEntry, WitnessRepository } from './witness-repository';

/** Whether a commit brought a part of a source's change. */
export type Part = 'certain' | 'perhaps';

interface Asked {
  commits: readonly string[];
  source: string;
  /** The commit onto which the source landed. */
  onto: string;
}

/**
 * The commits that brought a part of a source's change. There are two readings of that. By lines: the commit adds or removes a
 * line or a file, at a path that the source changes, as the source does there. By merges: after the commit, the recipe's merge
 * of the source adds or removes less than before it. A part is certain if both readings have it, and possible if one has.
 */
export async function findBroughtParts(
  repository: WitnessRepository,
  { commits, source, onto }: Asked,
): Promise<Map<string, Part>> {
  const treeOf = (id: string) => repository.treeOf(id);
  const bases = repository.mergeBasesOf(onto, source);
  const changed = await Promise.all(
    bases.map((base) => changeOf(repository, [treeOf(base), treeOf(source)], 'by path')),
  );
  const found = await Promise.all(
    commits.map(async (commitId): Promise<[string, Part | undefined]> => {
      const before = repository.parentsOf(commitId)[0];
      if (before === undefined) return [commitId, undefined];
      const own = await changeOf(repository, [treeOf(before), treeOf(commitId)], 'by path');
      const byLines = changed.some((each) => [...own.keys()].some((line) => each.has(line)));
      const byMerges = await bringsByMerges(before, commitId);
      if (byLines && byMerges === true) return [commitId, 'certain'];
      return [commitId, byLines || byMerges === true ? 'perhaps' : undefined];
    }),
  );
  return new Map(found.filter((each): each is [string, Part] => each[1] !== undefined));

  /** @returns undefined if a merge has conflicts */
  async function bringsByMerges(before: string, commitId: string): Promise<boolean | undefined> {
    const [left, leftAfter] = await Promise.all([readRemainder(before), readRemainder(commitId)]);
    if (left === undefined || leftAfter === undefined) return undefined;
    return [...left].some(([line, count]) => (leftAfter.get(line) ?? 0) < count);
  }

  /** The lines that the merge of the source adds and removes in a commit, at any path. */
  async function readRemainder(commitId: string): Promise<Map<string, number> | undefined> {
    const merge = await repository.merge(commitId, source);
    return merge.clean ? changeOf(repository, [treeOf(commitId), merge.tree], 'at any path') : undefined;
  }
}

/**
 * The lines that are added and removed between two trees, with their counts.
 */
async function changeOf(
  repository: WitnessRepository,
  [old, now]: [old: string, now: string],
  where: 'by path' | 'at any path',
): Promise<Map<string, number>> {
  const changes = await repository.changesOf(old, now);
  const counts = new Map<string, number>();
  for (const [path, [before, after]] of changes) {
    const [one, other] = [await itemsOf(repository, before), await itemsOf(repository, after)];
    for (const item of new Set([...one.keys(), ...other.keys()])) {
      const count = (other.get(item) ?? 0) - (one.get(item) ?? 0);
      if (count === 0) continue;
      const key = `${where === 'by path' ? path : ''} ${Math.sign(count)} ${item}`;
      counts.set(key, (counts.get(key) ?? 0) + Math.abs(count));
    }
  }
  return counts;
}

/** The lines of a file, its mode, and all of it if it has no lines. */
async function itemsOf(
  repository: WitnessRepository,
  entry: FileEntry | undefined,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (entry === undefined) return counts;
  const lines = (await repository.linesOf(entry)) ?? [entry.id];
  for (const line of [`mode ${entry.mode}\n`, ...lines]) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
