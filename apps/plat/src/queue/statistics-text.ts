import type { MergeQueueStatistics } from '@plat/api-client';
import { printableLine } from '../terminal/printable';
import { durationText, type TimeText } from './queue-words';

type Durations = MergeQueueStatistics['readyToMerge'];

/** The statistics of a queue, for a person. */
export function statisticsText(statistics: MergeQueueStatistics, time: TimeText): string {
  const { targetBranch, repository, since, until, outcomes } = statistics;
  const where = repository === undefined ? targetBranch : `${targetBranch} of ${repository}`;
  const counts: [string, number][] = [
    ['entered', outcomes.entered],
    ['promoted', outcomes.promoted],
    ['  by override', outcomes.promotedByOverride],
    ['merged', outcomes.merged],
    ['reconciled', outcomes.reconciled],
    ['gate failed', outcomes.gateFailed],
    ['build failed', outcomes.buildFailed],
    ['requeued', outcomes.requeued],
    ['closed', outcomes.closed],
  ];
  const lines = [
    `Queue of ${where}, from ${time(since)} to ${time(until)}`,
    ...counts.map(([title, count]) => `${title.padEnd(TITLE_WIDTH)}  ${count}`),
    durationLine('READY to MERGE', statistics.readyToMerge),
    durationLine('MERGE to MERGED', statistics.mergeToMerged),
    durationLine('READY to MERGED', statistics.readyToMerged),
    ...flakyLines(statistics.flakySteps, time),
  ];
  return lines.map(printableLine).join('\n');
}

const TITLE_WIDTH = 15;

function durationLine(title: string, { basis, meanSeconds, p50Seconds, p95Seconds }: Durations): string {
  const all =
    meanSeconds === undefined || p50Seconds === undefined || p95Seconds === undefined
      ? 'no merge'
      : `mean ${durationText(meanSeconds)}, p50 ${durationText(p50Seconds)}, p95 ${durationText(p95Seconds)} (${basis} merges)`;
  return `${title.padEnd(TITLE_WIDTH)}  ${all}`;
}

function flakyLines(steps: MergeQueueStatistics['flakySteps'], time: TimeText): string[] {
  if (steps.length === 0) return ['No step of the gate failed and passed on the same commit.'];
  return [
    'Steps that failed and passed on the same commit:',
    ...steps.map(
      ({ failingStep, flakyRuns, failingRuns, lastAt, lastGateRunId }) =>
        `  ${failingStep}: ${flakyRuns} of ${failingRuns} failing runs, the last one ${time(lastAt)} (${lastGateRunId})`,
    ),
  ];
}
