import type { ContentReason } from '@plat/contracts/core';
import type { ObjectStore } from '../changes/object-store';
import type { VerifierCaps } from '../config';
import type { Versions } from '../merge/versions';
import { type Judgement, unknown } from './content-verdict';
import { type DisputedPath, findDisputedPaths } from './disputed-paths';
import { isMergedOntoOlder, undoneByItself } from './other-versions';
import { PathJudge, type PathOutcome } from './path-judge';
import { isDeletedAndEdited, landedAsRenamed } from './renamed-paths';

/** Trees by id, with those of the commits that each side made since they diverged, newest first. */
export interface LandedTrees {
  trees: Required<Versions<string>>;
  targetTreeIds: readonly string[];
  sourceTreeIds: readonly string[];
}

type Outcomes = Record<PathOutcome | 'renamed', DisputedPath[]>;

/**
 * Compares a landed tree with the merge of source and parent, path by path.
 * @throws RemoteFailure
 */
export async function judgeTrees(
  store: ObjectStore,
  { trees, targetTreeIds, sourceTreeIds }: LandedTrees,
  caps: VerifierCaps,
): Promise<Judgement> {
  const { paths, isUnclear } = await findDisputedPaths(store, trees, caps);
  const judge = new PathJudge(store, caps);
  await judge.load(paths);
  const outcomes: Outcomes = {
    same: [],
    extra: [],
    resolved: [],
    source_change_missing: [],
    target_change_undone: [],
    unknown: [],
    renamed: [],
  };
  for (const path of paths) outcomes[judge.judge(path)].push(path);
  const tools = { store, judge, limits: caps };
  await forgiveRenames(outcomes, isUnclear, tools);
  if (outcomes.source_change_missing.length > 0) return divergent('source_change_missing');
  const own = await undoneByItself(outcomes.target_change_undone, { ...tools, treeIds: sourceTreeIds });
  if (outcomes.target_change_undone.some((path) => !own.has(path))) return divergent('target_change_undone');
  const changedAnew = outcomes.extra.filter(({ base, ours }) => base?.id !== ours?.id);
  if (await isMergedOntoOlder(changedAnew, { ...tools, treeIds: targetTreeIds }))
    return divergent('target_change_undone');
  return conclude(outcomes, { isUnclear, isEmpty: trees.landed === trees.ours });
}

/** An added file that is not there as it was added may be another side's rename; what that would have made, is not told. */
async function forgiveRenames(
  outcomes: Outcomes,
  isUnclear: boolean,
  tools: Parameters<typeof landedAsRenamed>[2],
): Promise<void> {
  const missing = outcomes.source_change_missing;
  const added = missing.filter(({ base }) => base === undefined);
  const candidates = Object.values(outcomes).flat().filter(isDeletedAndEdited);
  if (added.length === 0 || (candidates.length === 0 && !isUnclear)) return;
  const renamed = await landedAsRenamed(added, candidates, tools);
  outcomes.source_change_missing = missing.filter((path) => !added.includes(path));
  outcomes.renamed.push(...renamed);
  outcomes.unknown.push(...added.filter((path) => !renamed.has(path)));
}

function conclude(outcomes: Outcomes, about: { isUnclear: boolean; isEmpty: boolean }): Judgement {
  const { unknown: open, renamed, resolved, extra, target_change_undone: own } = outcomes;
  if (open.length > 0) return unknown(open.some(({ base }) => base === undefined) ? 'rename' : 'too_tangled');
  // Every contradiction was decided against the source: nothing of it has landed.
  if (resolved.length > 0 && about.isEmpty) return divergent('source_change_missing');
  if (renamed.length > 0) return sameChange('rename');
  if (resolved.length > 0) return sameChange('conflict_resolved');
  if (extra.length > 0 || own.length > 0) return sameChange('extra_content');
  return about.isUnclear ? sameChange('rename') : { verdict: 'EXACT' };
}

const divergent = (reason: ContentReason): Judgement => ({ verdict: 'DIVERGENT', reason });
const sameChange = (reason: ContentReason): Judgement => ({ verdict: 'SAME_CHANGE', reason });
