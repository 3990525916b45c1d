import type { LostPlace } from '@plat/verifier';
import type { LandingsHere } from '../before-push/examine-landings';
import type { UndoneWork } from '../before-push/find-undone';

/** Days of a question that names its landings. Clocks of committers do not limit it so. */
const ALL_DAYS = 3_650;

type Finding = UndoneWork['findings'][number];

/** A part of a landing that the target has lost. */
export interface Loss {
  place: LostPlace;
  /** The landing's newest commit. */
  commitId: string;
  /** The landing's commits in the target's first-parent history. */
  ofCommitIds: readonly string[];
}

/** How a part was lost. */
export interface JudgedLoss {
  /** Absent if it went in the usual course of work. */
  finding?: Finding | undefined;
  /** The reason why it cannot be determined. */
  unknown?: string | undefined;
}

/** The losses by one landing, judged. */
export interface LossesBy {
  losses: ReadonlyMap<LostPlace, JudgedLoss>;
  /** The commits that commits of its source say they revert. */
  revertedIds: readonly string[];
}

/** Determines how a landing took parts of earlier ones: by what it takes back of them. */
export async function judgeLosses(
  { commitId, sourceCommitId }: { commitId: string; sourceCommitId: string },
  losses: readonly Loss[],
  here: Pick<LandingsHere, 'findUndoneWork'>,
): Promise<LossesBy> {
  const only = [...new Set(losses.flatMap(({ ofCommitIds }) => ofCommitIds))];
  const ask = (source: string) =>
    here.findUndoneWork({ commitId, sourceCommitId: source, days: ALL_DAYS, only });
  let work = await ask(sourceCommitId);
  // A source that cannot be compared does not hide what the landing itself took back.
  if ('unknown' in work && sourceCommitId !== commitId) work = await ask(commitId);
  if ('unknown' in work) {
    const { unknown } = work;
    return { losses: new Map(losses.map(({ place }) => [place, { unknown }])), revertedIds: [] };
  }
  const { findings, findingsLeftOut = 0, revertedIds, window } = work;
  const hasAll = window.isComplete && findingsLeftOut === 0;
  const judged = losses.map(({ place, ofCommitIds }): [LostPlace, JudgedLoss] => {
    const finding = findings.find((one) => ofCommitIds.includes(one.commitId) && isAt(one, place));
    return [place, { finding, unknown: finding || hasAll ? undefined : 'too_many_landings' }];
  });
  return { losses: new Map(judged), revertedIds };
}

/** Whether a finding is about a lost place, by the lines in the target right before the later landing, or right after it. */
function isAt(finding: Finding, { in: file, lostAt }: LostPlace): boolean {
  if (finding.path !== lostAt.path) return false;
  const { firstLine, lastLine } = finding;
  if (file === undefined || firstLine === undefined || lastLine === undefined) {
    return file === undefined && firstLine === undefined;
  }
  if (finding.in !== (file === 'landed' ? 'target' : 'landed')) return false;
  if (lostAt.firstLine === undefined || lostAt.lastLine === undefined) return true;
  return firstLine <= lostAt.lastLine && lostAt.firstLine <= lastLine;
}
