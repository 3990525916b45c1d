import type { BuiltCommit, History } from './build';

/**
 * Whether the source landed by the construction of the history, without git and without a diff: some commit of the
 * target's first-parent chain has the source's state at every place that the source changed since the branches parted.
 * With several merge bases, each needs such a commit.
 */
export function isLandedByConstruction({ commits, source, target }: History): boolean {
  const ofSource = ancestorsOf(commits, source);
  const chain = firstParents(commits, target).filter((commit) => !ofSource.has(commit));
  const bases = mergeBases(commits, ofSource, ancestorsOf(commits, target));
  return (
    bases.length > 0 &&
    bases.every((base) =>
      chain.some(
        (commit) => ancestorsOf(commits, commit).has(base) && carries(commits, { base, source, commit }),
      ),
    )
  );
}

function carries(
  commits: readonly BuiltCommit[],
  { base, source, commit }: { base: number; source: number; commit: number },
): boolean {
  const [before, changed, found] = [base, source, commit].map((position) => commits[position]!.places);
  const all = [...new Set([...before!.keys(), ...changed!.keys()])];
  return all.every(
    (place) => changed!.get(place) === before!.get(place) || changed!.get(place) === found!.get(place),
  );
}

/** Common ancestors that are no ancestor of another one. */
export function mergeBases(
  commits: readonly BuiltCommit[],
  ofSource: ReadonlySet<number>,
  ofTarget: ReadonlySet<number>,
): number[] {
  const common = [...ofSource].filter((commit) => ofTarget.has(commit));
  return common.filter(
    (base) => !common.some((other) => other !== base && ancestorsOf(commits, other).has(base)),
  );
}

/** The ancestors of a commit, including itself. */
export function ancestorsOf(commits: readonly BuiltCommit[], start: number): Set<number> {
  const found = new Set([start]);
  for (const commit of found) for (const parent of commits[commit]?.parents ?? []) found.add(parent);
  return found;
}

function firstParents(commits: readonly BuiltCommit[], tip: number): number[] {
  const chain: number[] = [];
  for (let commit: number | undefined = tip; commit !== undefined; commit = commits[commit]?.parents[0]) {
    chain.push(commit);
  }
  return chain;
}
