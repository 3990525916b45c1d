import { UNDONE_CERTAINTIES, type UndoneCertainty } from '@plat/contracts/core';
import type { Budget } from '../budget';
import { ObjectStore } from '../objects/object-store';
import { isObjectId } from '../pack/object-id';
import { textOfPath } from '../pack/path-text';
import { isSameEntry } from '../pack/tree';
import type { RemoteRepository } from '../protocol/remote-repository';
import { explainParts, type Explanation } from './explain-undone';
import { findUndoneParts, type UndonePart } from './find-undone';
import { type Histories, readHistories } from './landings-before';
import { isLockFile } from './lock-files';
import type { UndoneFinding, UndoneUnknown, UndoneWork } from './undone-work';

/** A landing that may take back work of earlier ones. Ids are 40 hex digits. */
export type UndoneQuestion = {
  /** The source's commit. */
  sourceCommitId: string;
  /** Landings of this many days are examined, even if the source parted from the target later. */
  days: number;
  /** Only the work of these landings is examined. Default: that of all. */
  only?: readonly string[];
} & (
  | {
      /** The commit that landed. Its first parent is the target before. */
      commitId: string;
    }
  | {
      /** The target's commit before, and the tree that would land. */
      onto: string;
      treeId: string;
    }
);

/** Lines from which on a block is more than a detail. */
const BLOCK_LINES_MIN = 3;
const FINDINGS_MAX = 100;
const PATH_LENGTH_MAX = 300;
const REVERT_LINES_MAX = 1_000;

/**
 * Determines what a landing takes back of earlier landings. It advises a person and refuses nothing.
 *
 * @throws RemoteFailure if not even the landed commit can be read
 */
export async function findUndoneWork(
  question: UndoneQuestion,
  { remote, budget }: { remote: RemoteRepository; budget: Budget },
): Promise<UndoneWork | UndoneUnknown> {
  const { sourceCommitId, days, only } = question;
  const landing: Landing | undefined =
    'onto' in question ? question : await readLanding(question.commitId, remote);
  if (landing === undefined) return { unknown: 'no_parent' };
  const { onto, treeId, revertLines = [] } = landing;
  if (![onto, treeId, sourceCommitId].every(isObjectId)) return { unknown: 'landing_not_found' };
  const histories = await readHistories({ onto, sourceTip: sourceCommitId, days }, remote);
  if (histories === undefined) return { unknown: 'parted_long_ago' };
  const { graph, store, window } = histories;
  const landings = only
    ? histories.landings.filter(({ commitId }) => only.includes(commitId))
    : histories.landings;
  const hasAll = only ? landings.length === only.length : window.isComplete;
  await store.loadCommits([onto]);
  const trees = { target: store.commit(onto).treeId, landed: treeId };
  const { parts, isComplete } = await findUndoneParts(trees, landings, { store, budget });
  const explanations = await explainParts(parts, { ...histories, landing: { treeId, onto }, budget });
  const found = parts.flatMap((part, index) =>
    findingOf(part, explanations[index] as Explanation, histories),
  );
  const sorted = UNDONE_CERTAINTIES.flatMap((certainty) =>
    found.filter((each) => each.certainty === certainty),
  );
  const commits = histories.own.flatMap((id) => graph.get(id) ?? []);
  const revertedIds = commits.flatMap((commit) => commit.revertedIds ?? []);
  const said = [...revertLines, ...commits.flatMap((commit) => commit.revertLines ?? [])];
  return {
    findings: sorted.slice(0, FINDINGS_MAX),
    findingsLeftOut: sorted.length > FINDINGS_MAX ? sorted.length - FINDINGS_MAX : undefined,
    revertedIds: [...new Set(revertedIds)],
    revertLines: [...new Set(said)].slice(0, REVERT_LINES_MAX),
    window: { ...window, isComplete: hasAll && isComplete },
  };
}

interface Landing {
  onto: string;
  treeId: string;
  revertLines?: readonly string[] | undefined;
}

async function readLanding(commitId: string, remote: RemoteRepository): Promise<Landing | undefined> {
  const store = new ObjectStore(remote);
  await store.loadCommits([commitId]);
  const { parentIds, treeId, revertLines } = store.commit(commitId);
  const [onto] = parentIds;
  return onto === undefined ? undefined : { onto, treeId, revertLines };
}

function findingOf(
  part: UndonePart,
  { kind, sourceCommitId }: Explanation,
  { atParting }: Histories,
): UndoneFinding[] {
  const { work, block } = part;
  const found = certaintyOf(part, kind, atParting.has(work.commitId));
  if (found === undefined) return [];
  // A tool writes the whole file again, whatever its lines were. It seldom writes the very file of before.
  const isBack = work.at.landed !== undefined && isSameEntry(work.at.landed, work.old);
  const certainty = isLockFile(work.at.path) && !isBack ? 'possible' : found;
  return [
    {
      commitId: work.commitId,
      path: textOfPath(work.at.path).slice(0, PATH_LENGTH_MAX),
      in: block?.in,
      firstLine: block && block.start + 1,
      lastLine: block?.end,
      kind,
      certainty,
      sourceCommitId,
    },
  ];
}

/**
 * @param wasKnown whether the source had the earlier landing when it parted from the target: its author may then change what
 *   they have seen
 * @returns undefined if it is usual work
 */
function certaintyOf(
  { block, marks, restored, isReplaced, isWholeInsertion }: UndonePart,
  kind: Explanation['kind'],
  wasKnown: boolean,
): UndoneCertainty | undefined {
  const isLarge = block === undefined || marks.length >= BLOCK_LINES_MIN;
  const isSmall = !isLarge && restored === undefined;
  switch (kind) {
    case 'dropped_by_merge':
    case 'dropped_by_landing':
      return isSmall ? 'likely' : 'sure';
    case 'dropped_in_conflict':
      return isSmall ? 'possible' : 'likely';
    case 'restored': {
      const isLess = !isLarge || restored === 'most';
      if (wasKnown) return isLess ? 'possible' : 'likely';
      return isLess ? 'likely' : 'sure';
    }
    case 'deleted':
      if (isLarge && isWholeInsertion && !wasKnown) return 'likely';
      return isLarge && !(wasKnown && isReplaced) ? 'possible' : undefined;
  }
}
