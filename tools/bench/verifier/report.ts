import { table, verdict } from '../table';
import type { Goals } from './cases';
import type { Measured } from './measure';
import type { Neighbours } from './neighbours';

const MIB = 1024 ** 2;
/** A repository with fewer commits has no goals, because git clones it about as fast as a process starts. */
const GOALS_FROM_COMMITS = 80_000;
/** Goals for repositories of every size. */
const PEAK_MIB_MAX = 256;
const BLOCKED_MS_MAX = 20;
const SLOWED_MAX = 1.2;
const WARM_SECONDS_MAX = 1;

const HEAD = [
  '',
  'cold s',
  'its cpu',
  'warm s',
  'git s',
  'ratio',
  'goal',
  '',
  'bytes',
  'git bytes',
  'ratio',
  'goal',
  '',
  'peak',
  'loop ms',
];

/** One repository's cases, compared with the git command. The ratios are of cold verifications. */
export function casesTable(all: readonly Measured[]): string {
  const rows = all.map((measured) => {
    const { asked, coldSeconds, processorSeconds, warmSeconds, git, bytes, peakBytes, ownBlockedMs } =
      measured;
    const goals = measured.repository.commits < GOALS_FROM_COMMITS ? {} : asked.goals;
    return [
      asked.name,
      coldSeconds.toFixed(2),
      processorSeconds.toFixed(2),
      warmSeconds.toFixed(2),
      git.seconds.toFixed(2),
      ...timeCells(measured, goals),
      size(bytes),
      size(git.bytes),
      ...goalCells(bytes / git.bytes, goals.bytesRatio),
      size(peakBytes),
      ownBlockedMs.toFixed(1),
    ];
  });
  return table([HEAD, ...rows]);
}

function timeCells({ coldSeconds, git }: Measured, goals: Goals): string[] {
  if (goals.seconds === undefined) return goalCells(coldSeconds / git.seconds, goals.timeRatio);
  return [
    (coldSeconds / git.seconds).toFixed(3),
    `<= ${goals.seconds} s`,
    verdict(coldSeconds <= goals.seconds),
  ];
}

function goalCells(ratio: number, goal: number | undefined): string[] {
  return [ratio.toFixed(3), ...(goal === undefined ? ['', ''] : [`<= ${goal}`, verdict(ratio <= goal)])];
}

/** Renders the bounds that hold for all cases and sizes together. */
export function boundsTable(
  all: readonly Measured[],
  { aloneSeconds, besideSeconds, worstSeconds }: Neighbours,
): string {
  const peak = Math.max(...all.map(({ peakBytes }) => peakBytes)) / MIB;
  const blocked = Math.max(...all.map(({ blockedMs }) => blockedMs));
  const ownBlocked = Math.max(...all.map(({ ownBlockedMs }) => ownBlockedMs));
  const warm = Math.max(
    ...all.filter(({ asked }) => asked.isOfReports).map(({ warmSeconds }) => warmSeconds),
  );
  const slowed = besideSeconds / aloneSeconds;
  return table([
    ['', '', 'goal', ''],
    [
      'peak memory of the process',
      `${peak.toFixed(0)} MiB`,
      `<= ${PEAK_MIB_MAX} MiB`,
      verdict(peak <= PEAK_MIB_MAX),
    ],
    [
      'slowest warm report',
      `${warm.toFixed(2)} s`,
      `<= ${WARM_SECONDS_MAX} s`,
      verdict(warm <= WARM_SECONDS_MAX),
    ],
    [
      'event loop blocked',
      `${ownBlocked.toFixed(1)} ms`,
      `<= ${BLOCKED_MS_MAX} ms`,
      verdict(ownBlocked <= BLOCKED_MS_MAX),
    ],
    ['event loop blocked, or no processor free', `${blocked.toFixed(1)} ms`],
    [
      "another tenant next to one's hostile remotes",
      `${slowed.toFixed(2)}x`,
      `<= ${SLOWED_MAX}x`,
      verdict(slowed <= SLOWED_MAX),
    ],
    [
      "the slowest next to several tenants' hostile remotes",
      `${worstSeconds.toFixed(2)} s`,
      `<= ${(3 * aloneSeconds + 1).toFixed(2)} s`,
      verdict(worstSeconds <= 3 * aloneSeconds + 1),
    ],
  ]);
}

function size(bytes: number): string {
  return bytes < MIB ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}
