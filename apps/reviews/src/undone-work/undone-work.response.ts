import { arrange } from '@plat/contracts/fields';
import { UndoneFinding, type UndoneWork } from '@plat/contracts/reviews';
import type { FoundPlace, UndoneWorkRow } from './undone-work.queries';

/** The undone work of a merge, as its receipt shows it. */
export function toUndoneWork(row: UndoneWorkRow): UndoneWork {
  const { examined_at: examinedAt, unknown_reason: unknown, findings_left_out: leftOut } = row;
  const [findings, reverts] = split(row.findings);
  const [undoneBy, revertedBy] = split(row.undone_by);
  return {
    examinedAt: examinedAt ?? undefined,
    unknown: unknown ?? undefined,
    findings,
    findingsLeftOut: leftOut > 0 ? leftOut : undefined,
    reverts,
    window: windowOf(row),
    undoneBy,
    revertedBy,
  };
}

/** The places of which the later review says nothing, and those that it says it reverts. */
function split(places: readonly FoundPlace[]): [UndoneFinding[], UndoneFinding[]] {
  const those = (wanted: boolean) =>
    places
      .filter(({ isSaid }) => isSaid === wanted)
      .map(({ isSaid: _, ...place }) => arrange(UndoneFinding, place));
  return [those(false), those(true)];
}

function windowOf(row: UndoneWorkRow): UndoneWork['window'] {
  const { window_landings: landings, window_is_complete: isComplete } = row;
  if (landings === null || isComplete === null) return undefined;
  return { landings, oldestCommitId: row.window_oldest_commit_id ?? undefined, isComplete };
}
