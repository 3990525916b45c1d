import type { Budget } from '../budget';
import { ObjectStore } from '../objects/object-store';
import { isObjectId } from '../pack/object-id';
import { textOfPath } from '../pack/path-text';
import type { RemoteRepository } from '../protocol/remote-repository';
import { type Explanation, explainParts } from './explain-undone';
import { findUndoneParts, type UndonePart } from './find-undone';
import { type Histories, readHistories } from './landings-before';
import {
  CERTAINTIES,
  type UndoneCertainty,
  type UndoneFinding,
  type UndoneUnknown,
  type UndoneWork,
} from './undone-work';

/** A landing that may take back work of earlier ones. */
export interface UndoneQuestion {
  /** The commit that lands, or that would land. Its first parent is the target before. */
  commitId: string;
  /** The source's commit. */
  sourceCommitId: string;
  /** Landings of this many days are examined, even if the source parted from the target later. */
  days: number;
}

/** Lines from which on a block is more than a detail. */
const BLOCK_LINES_MIN = 3;
const FINDINGS_MAX = 100;
const PATH_LENGTH_MAX = 300;

/**
 * Determines what a landing takes back of earlier landings. It advises a person and refuses nothing.
 *
 * @throws RemoteFailure if not even the landed commit can be read
 */
export async function findUndoneWork(
  { commitId, sourceCommitId, days }: UndoneQuestion,
  { remote, budget }: { remote: RemoteRepository; budget: Budget },
): Promise<UndoneWork | UndoneUnknown> {
  if (!isObjectId(commitId) || !isObjectId(sourceCommitId)) return { unknown: 'landing_not_found' };
  const commits = new ObjectStore(remote);
  await commits.loadCommits([commitId]);
  const { parentIds, treeId } = commits.commit(commitId);
  const [onto] = parentIds;
  if (onto === undefined) return { unknown: 'no_parent' };
  const histories = await readHistories({ onto, sourceTip: sourceCommitId, days }, remote);
  if (histories === undefined) return { unknown: 'parted_long_ago' };
  const { graph, landings, store, window } = histories;
  await store.loadCommits([onto]);
  const trees = { target: store.commit(onto).treeId, landed: treeId };
  const { parts, isComplete } = await findUndoneParts(trees, landings, { store, budget });
  const explanations = await explainParts(parts, { ...histories, budget });
  const found = parts.flatMap((part, index) =>
    findingOf(part, explanations[index] as Explanation, histories),
  );
  const sorted = CERTAINTIES.flatMap((certainty) => found.filter((each) => each.certainty === certainty));
  const revertedIds = histories.sourceLine.flatMap((id) => graph.get(id)?.revertedIds ?? []);
  return {
    findings: sorted.slice(0, FINDINGS_MAX),
    ...(sorted.length > FINDINGS_MAX && { findingsLeftOut: sorted.length - FINDINGS_MAX }),
    revertedIds: [...new Set(revertedIds)],
    window: { ...window, isComplete: window.isComplete && isComplete },
  };
}

function findingOf(
  part: UndonePart,
  { kind, sourceCommitId }: Explanation,
  { atParting }: Histories,
): UndoneFinding[] {
  const { work, block } = part;
  const certainty = certaintyOf(part, kind, atParting.has(work.commitId));
  if (certainty === undefined) return [];
  return [
    {
      commitId: work.commitId,
      path: textOfPath(work.at.path).slice(0, PATH_LENGTH_MAX),
      ...(block && { in: block.in, firstLine: block.start + 1, lastLine: block.end }),
      kind,
      certainty,
      ...(sourceCommitId !== undefined && { sourceCommitId }),
    },
  ];
}

/**
 * @param wasKnown whether the source had the earlier landing when it parted from the target: its author may then change what
 *   they have seen
 * @returns undefined if it is usual work
 */
function certaintyOf(
  { block, size, isRestored, isReplaced, isWholeInsertion }: UndonePart,
  kind: Explanation['kind'],
  wasKnown: boolean,
): UndoneCertainty | undefined {
  const isLarge = block === undefined || size >= BLOCK_LINES_MIN;
  switch (kind) {
    case 'dropped_by_merge':
    case 'dropped_by_landing':
      return isLarge || isRestored ? 'sure' : 'likely';
    case 'dropped_in_conflict':
      return isLarge || isRestored ? 'likely' : 'possible';
    case 'restored':
      if (wasKnown) return isLarge ? 'likely' : 'possible';
      return isLarge ? 'sure' : 'likely';
    case 'deleted':
      if (isLarge && isWholeInsertion && !wasKnown) return 'likely';
      return isLarge && !(wasKnown && isReplaced) ? 'possible' : undefined;
  }
}
