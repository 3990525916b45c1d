import type { Budget } from '../budget';
import type { ObjectStore } from '../changes/object-store';
import { mergeTemplate } from '../merge/merge-template';
import type { MergedEntry } from '../merge/merged-entry';
import { isSameEntry } from '../pack/tree';
import { findDisputedPaths } from './disputed-paths';
import { joinMovedPaths } from './moved-paths';
import { PathJudge } from './path-judge';

/**
 * The result of merging a source into a target. `contradictions`: nothing is simply absent, but the target has other
 * lines or files in some of the places.
 */
export type Brought = 'something' | 'contradictions' | 'nothing';

/** @param trees ids. @throws RemoteFailure */
export async function broughtByMerge(
  store: ObjectStore,
  trees: { base: string; ours: string; theirs: string },
  budget: Budget,
): Promise<Brought> {
  const all = { ...trees, landed: trees.ours };
  const disputed = await findDisputedPaths(store, all, budget.caps);
  const { paths } = await joinMovedPaths(disputed.paths, { store, trees: all, budget });
  const judge = new PathJudge(store, budget.texts);
  await judge.loadMerges(paths);
  const brought = new Set(
    paths.map((path): Brought => {
      const merged = judge.merge(path);
      if (merged.kind === 'clean') return isSameEntry(merged.entry, path.landed) ? 'nothing' : 'something';
      // The target moved the file that the source deleted: the deletion is simply not there.
      const isMoved = path.isContradiction === true && path.ours !== undefined;
      return merged.kind === 'conflict' && !isMoved && isDecidedEverywhere(merged, budget)
        ? 'contradictions'
        : 'something';
    }),
  );
  if (brought.has('something')) return 'something';
  return brought.has('contradictions') ? 'contradictions' : 'nothing';
}

function isDecidedEverywhere(
  { lines, texts }: Extract<MergedEntry, { kind: 'conflict' }>,
  budget: Budget,
): boolean {
  if (!lines || !texts) return true;
  const template = mergeTemplate(lines, texts, budget.texts.steps);
  if (template === undefined) return false;
  return ![...template.lines, ...template.deletions].some(({ owner }) => owner === 'theirs');
}
