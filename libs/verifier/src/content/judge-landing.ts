import { ObjectStore } from '../changes/object-store';
import { reachableFrom } from '../history/commit-graph';
import { commitsBefore } from '../history/commits-before';
import type { Diverged } from '../history/divergence';
import type { Commit } from '../pack/commit';
import type { DecodedPack } from '../pack/decoded-pack';
import { besideLastPick } from './beside-last-pick';
import { type Judgement, sameChange, unknown } from './content-verdict';
import { judgeTrees, type LandedTrees } from './judge-trees';
import type { SourceReading } from './landing-commit';
import { isPicked, judgeEarlierPicks, judgeLastPick } from './picked-commits';
import { sourceLine } from './source-line';
import { areMergesAlone } from './source-merges';

export interface Landing extends SourceReading {
  commitId: string;
  commit: Commit;
  /** Those that have the commit and its root directory. */
  packs: readonly DecodedPack[];
  /** The merge before it in its queue, if it was reported by one. */
  anchorCommitId?: string | undefined;
}

/** The verdict on the commit that brought a source to its target. @throws RemoteFailure */
export async function judgeLanding(landed: Landing): Promise<Judgement> {
  const { sourceTip, commitId, commit } = landed;
  // The reviewed commit itself is on the target.
  if (commitId === sourceTip) return { verdict: 'EXACT' };
  const { parentIds } = commit;
  if (parentIds.length > 2) return unknown('octopus');
  // A merge of the target into the source has the source first, so the second parent is the target.
  const onto = parentIds[0] === sourceTip && parentIds[1] !== undefined ? parentIds[1] : parentIds[0];
  if (onto === undefined) return unknown('no_parent');
  const divergence = await landed.divergenceFrom(onto);
  switch (divergence.relation) {
    case 'landed':
      return unknown('source_merged_before');
    case 'unrelated':
      return unknown('unrelated_history');
    case 'diverged':
      return judgeMerge(landed, onto, divergence);
  }
}

/** If there are several merge bases, git merges these first; so the verdict is what holds for each of them. */
async function judgeMerge(landed: Landing, onto: string, divergence: Diverged): Promise<Judgement> {
  const { remote, budget, sourceTip, commit, anchorCommitId } = landed;
  const { bases, packs } = divergence;
  const store = new ObjectStore(remote, [...packs, ...landed.packs]);
  await store.loadCommits([onto, sourceTip, ...bases]);
  const judgements: Judgement[] = [];
  for (const base of bases) {
    judgements.push(await judgeTrees(store, treesSince(base, store, { landed, onto, divergence }), budget));
  }
  const judgement = agreed(judgements);
  const [base] = bases;
  const isSound = judgement.verdict === 'EXACT' || judgement.verdict === 'SAME_CHANGE';
  const isEmpty = commit.treeId === store.commit(onto).treeId && commit.parentIds.length === 1;
  // The target has all of the source already, so this commit brought nothing.
  if (isSound && isEmpty) return unknown('landing_not_found');
  if (base === undefined || bases.length > 1) return judgement;
  const { graph, chain } = divergence;
  const source = await sourceLine(store, { graph, sourceTip, onto });
  if (source === 'branched') return judgement;
  if (source === 'too many') return isTakenBack(judgement) ? unknown('remote_too_large') : judgement;
  // The merge at the tip may have decided conflicts, which no other commit has.
  if (isSound && source.isTipMerge) return judgement;
  const older = { commitId: base, treeId: store.commit(base).treeId };
  const picked = { graph, source: source.commits, base: older, chain, landedTreeId: commit.treeId };
  const earlier = isSound ? await judgeEarlierPicks(store, { ...picked, anchorCommitId }, budget) : undefined;
  if (earlier !== undefined) return earlier;
  const isByHand = judgement.verdict === 'SAME_CHANGE' && judgement.reason === 'conflict_resolved';
  if (isByHand) {
    const lastPick = await judgeLastPick(store, picked, budget);
    const trees = { source: store.commit(sourceTip).treeId, landed: commit.treeId };
    return lastPick === undefined ? judgement : besideLastPick(store, lastPick, trees);
  }
  const found = !isSound && (await isPicked(store, picked, budget));
  const isWhole = found ? await areMergesAlone(source.merges, { store, remote, budget }) : true;
  // Only the merge has what is missing.
  if (
    isWhole === false &&
    judgement.verdict === 'DIVERGENT' &&
    judgement.reason === 'source_change_missing'
  ) {
    return judgement;
  }
  if (found === 'perhaps' || isWhole !== true) {
    return { ...judgement, verdict: 'UNKNOWN', reason: 'conflict_resolved' };
  }
  return found ? sameChange('rebased') : judgement;
}

/** Whether the target's work seems to be taken back, which may be the source's own earlier commits. */
const isTakenBack = (judgement: Judgement): boolean =>
  judgement.verdict === 'DIVERGENT' && judgement.reason === 'target_change_undone';

/** The trees by which a landing is judged from one merge base. */
function treesSince(
  base: string,
  store: ObjectStore,
  {
    landed: { sourceTip, commit, remote },
    onto,
    divergence,
  }: { landed: Landing; onto: string; divergence: Diverged },
): LandedTrees {
  const { chain, graph } = divergence;
  const treeOf = (id: string) => store.commit(id).treeId;
  const treeIdOf = (id: string) => graph.get(id)?.treeId ?? [];
  const ofTarget = reachableFrom(graph, [onto]);
  const reachedBySource = reachableFrom(graph, [sourceTip]);
  const ofSource = [...reachedBySource].filter((id) => id !== sourceTip && !ofTarget.has(id));
  const older = chain.filter((id) => id !== onto);
  const ofMergedBranches = [...ofTarget].filter((id) => id !== onto && !reachedBySource.has(id));
  // Those along first parents come first, because they are the likely ones.
  const olderCommits = [...new Set([...older, ...ofMergedBranches])].flatMap((commitId) => {
    const treeId = graph.get(commitId)?.treeId;
    return treeId === undefined ? [] : [{ commitId, treeId }];
  });
  return {
    trees: { base: treeOf(base), ours: treeOf(onto), theirs: treeOf(sourceTip), landed: commit.treeId },
    earlier: { ours: older.flatMap(treeIdOf), theirs: ofSource.flatMap(treeIdOf) },
    olderCommits: [...olderCommits, { commitId: base, treeId: treeOf(base) }],
    before: () => commitsBefore(base, { remote, graph }),
  };
}

function agreed([first, ...others]: Judgement[]): Judgement {
  if (first === undefined) return unknown('several_merge_bases');
  if (others.length === 0) return first;
  if (others.some(({ verdict }) => verdict !== first.verdict)) return unknown('several_merge_bases');
  return first.verdict === 'EXACT' ? sameChange('several_merge_bases') : first;
}
