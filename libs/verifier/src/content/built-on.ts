import type { ContentFinding } from '@plat/contracts/core';
import { entriesAt } from '../objects/entries-at';
import { isSameEntry } from '../pack/tree';
import { RemoteFailure } from '../remote-failure';
import type { Judgement } from './content-verdict';
import { judgeTrees } from './judge-trees';
import type { LandedMerge } from './merge-reading';

/** Most older commits of the target whose files are compared, and of those onto which the source is merged again. */
const COMPARED_MAX = 256;
const MERGED_MAX = 8;

/**
 * Finds the older commit of the target onto which a whole landing was made. It explains why work of the target is undone, or
 * why a conflict was decided for the source; it does not change the verdict.
 *
 * @returns undefined if there is none among the likely ones, or if they cannot be read
 */
export async function findOlderBase(merge: LandedMerge, judgement: Judgement): Promise<string | undefined> {
  const isLikely = judgement.verdict === 'BY_HAND' || judgement.verdict === 'DIVERGENT';
  if (!isLikely || merge.divergence.bases.length > 1) return undefined;
  try {
    return await searchOlderBase(merge, judgement.findings ?? []);
  } catch (failure) {
    if (failure instanceof RemoteFailure) return undefined;
    throw failure;
  }
}

async function searchOlderBase(
  merge: LandedMerge,
  findings: readonly ContentFinding[],
): Promise<string | undefined> {
  const { landing, onto, divergence, store } = merge;
  const base = divergence.bases[0] as string;
  const treeOf = (id: string) => divergence.graph.get(id)?.treeId ?? store.commit(id).treeId;
  const older = [...divergence.chain.filter((id) => id !== onto), base].slice(0, COMPARED_MAX);
  const landed = landing.commit.treeId;
  const undone = findings.filter(({ kind }) => kind === 'undone').map(({ path }) => path);
  const entries = await entriesAt(store, [...new Set([landed, ...older.map(treeOf)])], undone);
  // A file of others that is undone is in the landing as the older commit has it.
  const isLike = (id: string) =>
    undone.every((path) => isSameEntry(entries.get(treeOf(id))?.get(path), entries.get(landed)?.get(path)));
  const likely = older.filter(isLike);
  for (const commitId of (likely.length > 0 ? likely : older).slice(0, MERGED_MAX)) {
    const trees = {
      base: treeOf(base),
      ours: treeOf(commitId),
      theirs: treeOf(landing.sourceTip),
      landed,
    };
    if ((await judgeTrees(trees, merge)).verdict === 'EXACT') return commitId;
  }
  return undefined;
}
