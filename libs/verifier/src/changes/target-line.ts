import { descendantsOf } from '../history/commit-graph';
import { fetchHistory } from '../history/fetch-history';
import type { RemoteRepository } from '../protocol/remote-repository';

/** The merge before one in its queue, and the commits up to a tip that have it. */
export interface Anchored {
  anchorCommitId: string;
  has(commitId: string): boolean;
}

export type AnchoredBelow = (tip: string) => Promise<Anchored>;

/** Reads which commits have an anchor; once for each tip. @returns undefined without an anchor */
export function anchoredBelow(
  anchorCommitId: string | undefined,
  remote: RemoteRepository,
): AnchoredBelow | undefined {
  if (anchorCommitId === undefined) return undefined;
  const known = new Map<string, Promise<Anchored>>();
  return (tip) => {
    const anchored = known.get(tip) ?? readAnchored(tip, { anchorCommitId, remote });
    known.set(tip, anchored);
    return anchored;
  };
}

async function readAnchored(
  tip: string,
  { anchorCommitId, remote }: { anchorCommitId: string; remote: RemoteRepository },
): Promise<Anchored> {
  const history =
    tip === anchorCommitId
      ? undefined
      : await fetchHistory(remote, { wants: [tip], haves: [anchorCommitId] });
  const later = history === undefined ? new Set() : descendantsOf(history.commits, anchorCommitId);
  return { anchorCommitId, has: (commitId) => commitId === anchorCommitId || later.has(commitId) };
}

/**
 * The parent of a commit that is the target's own. Only one parent of a merge may have the merge before in the queue: that is
 * the target. Otherwise it is the first parent, unless that is the source: then the target was merged into it.
 */
export function targetParent(
  [first, second]: readonly string[],
  sourceTip: string,
  anchored: Anchored | undefined,
): string | undefined {
  if (first === undefined || second === undefined) return first;
  const [isFirst, isSecond] = [anchored?.has(first), anchored?.has(second)];
  if (isFirst !== isSecond) return isFirst ? first : second;
  return first === sourceTip ? second : first;
}
