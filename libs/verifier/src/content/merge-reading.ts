import type { Budget } from '../budget';
import type { SourceReading } from '../changes/landing-commit';
import { targetParent } from '../changes/target-line';
import type { Diverged } from '../history/divergence';
import { ObjectStore } from '../objects/object-store';
import type { Commit } from '../pack/commit';
import type { DecodedPack } from '../pack/decoded-pack';

/** A commit that may have brought a source to its target. */
export interface Landing extends SourceReading {
  commitId: string;
  commit: Commit;
  /** Those that have the commit and its root directory. */
  packs: readonly DecodedPack[];
}

/** A landing with the commits that its merge is made of. Ids. */
export interface LandedMerge {
  landing: Landing;
  /** The target's commit onto which the source landed. */
  onto: string;
  divergence: Diverged;
  store: ObjectStore;
  budget: Budget;
}

/** Why there is no merge to compare a landing with. */
export type NoMerge = 'octopus' | 'no_parent' | 'source_merged_before' | 'unrelated_history';

/** Reads the commits of the merge that a landing is compared with. @throws RemoteFailure */
export async function readLandedMerge(landing: Landing): Promise<LandedMerge | NoMerge> {
  const { remote, budget, sourceTip, commit } = landing;
  if (commit.parentIds.length > 2) return 'octopus';
  const onto = await readTargetParent(landing);
  if (onto === undefined) return 'no_parent';
  const divergence = await landing.divergenceFrom(onto);
  if (divergence.relation === 'landed') return 'source_merged_before';
  if (divergence.relation === 'unrelated') return 'unrelated_history';
  const store = new ObjectStore(remote, [...divergence.packs, ...landing.packs]);
  await store.loadCommits([onto, sourceTip, ...divergence.bases]);
  return { landing, onto, divergence, store, budget };
}

/** The target's own parent of a commit. */
export async function readTargetParent({
  commitId,
  commit: { parentIds },
  sourceTip,
  anchoredBelow,
}: Pick<Landing, 'commitId' | 'commit' | 'sourceTip' | 'anchoredBelow'>): Promise<string | undefined> {
  const anchored = parentIds.length > 1 ? await anchoredBelow?.(commitId) : undefined;
  return targetParent(parentIds, sourceTip, anchored);
}
