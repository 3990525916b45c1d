import type { Budget } from '../budget';
import { ObjectStore } from '../objects/object-store';
import { isObjectId } from '../pack/object-id';
import { textOfPath } from '../pack/path-text';
import type { RemoteRepository } from '../protocol/remote-repository';
import { explainParts, type Explanation } from './explain-undone';
import { findUndoneParts, type UndonePart } from './find-undone';
import { type Histories, readHistories } from './landings-before';
import { isLockFile } from './lock-files';
import {
  CERTAINTIES,
  type UndoneCertainty,
  type UndoneFinding,
  type UndoneUnknown,
  type UndoneWork,
} from './undone-work';

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
  const landing = 'onto' in question ? question : await readLanding(question.commitId, remote);
  if (landing === undefined) return { unknown: 'no_parent' };
  const { onto, treeId } = landing;
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
  const sorted = CERTAINTIES.flatMap((certainty) => found.filter((each) => each.certainty === certainty));
  const revertedIds = histories.sourceLine.flatMap((id) => graph.get(id)?.revertedIds ?? []);
  return {
    findings: sorted.slice(0, FINDINGS_MAX),
    findingsLeftOut: sorted.length > FINDINGS_MAX ? sorted.length - FINDINGS_MAX : undefined,
    revertedIds: [...new Set(revertedIds)],
    window: { ...window, isComplete: hasAll && isComplete },
  };
}

async function readLanding(
  commitId: string,
  remote: RemoteRepository,
): Promise<{ onto: string; treeId: string } | undefined> {
  const store = new ObjectStore(remote);
  await store.loadCommits([commitId]);
  const { parentIds, treeId } = store.commit(commitId);
  const [onto] = parentIds;
  return onto === undefined ? undefined : { onto, treeId };
}

function findingOf(
  part: UndonePart,
  { kind, sourceCommitId }: Explanation,
  { atParting }: Histories,
): UndoneFinding[] {
  const { work, block } = part;
  const found = certaintyOf(part, kind, atParting.has(work.commitId));
  if (found === undefined) return [];
  // A tool writes the whole file again, whatever its lines were.
  const certainty = isLockFile(work.at.path) ? 'possible' : found;
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
  { block, marks, isRestored, isReplaced, isWholeInsertion }: UndonePart,
  kind: Explanation['kind'],
  wasKnown: boolean,
): UndoneCertainty | undefined {
  const isLarge = block === undefined || marks.length >= BLOCK_LINES_MIN;
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
