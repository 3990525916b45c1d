import { NAME_LENGTH_MAX, REPOSITORY_LENGTH_MAX } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';
import { NamedMergeQueue } from './merge-queue-status';

/** Query of GET /v1/reviews/merge-queue/statistics. */
export class MergeQueueStatisticsQuery extends NamedMergeQueue {
  @Field(rules.instant, {
    description: 'RFC 3339, inclusive; 30 days before until unless given, 90 days before it at most',
    optional: true,
  })
  since?: string;

  @Field(rules.instant, { description: 'RFC 3339, inclusive; now unless given', optional: true })
  until?: string;
}

/** How many moves there were, by what they did. */
export class MergeQueueOutcomes {
  @Field(rules.integer, { description: 'Became READY by a build' })
  entered!: number;

  @Field(rules.integer, { description: 'Promoted to MERGE, overrides included' })
  promoted!: number;

  @Field(rules.integer, { description: 'Promoted over open threads' })
  promotedByOverride!: number;

  @Field(rules.integer, { description: 'MERGED through the queue' })
  merged!: number;

  @Field(rules.integer, { description: 'MERGED without the queue' })
  reconciled!: number;

  @Field(rules.integer, { description: 'FAILED by a GATE build' })
  gateFailed!: number;

  @Field(rules.integer, { description: 'FAILED by another build, whether in the queue or not' })
  buildFailed!: number;

  @Field(rules.integer, { description: 'Put back from MERGE to the tail' })
  requeued!: number;

  @Field(rules.integer, { description: 'CLOSED' })
  closed!: number;
}

/** Durations of one kind; all but basis are absent if there is none. */
export class MergeQueueDurations {
  @Field(rules.integer, { description: 'How many durations' })
  basis!: number;

  @Field(rules.seconds, { description: 'Mean, in seconds', optional: true })
  meanSeconds?: number;

  @Field(rules.seconds, { description: 'Median, in seconds', optional: true })
  p50Seconds?: number;

  @Field(rules.seconds, { description: '95th percentile, in seconds', optional: true })
  p95Seconds?: number;
}

/** A step of the gate that failed, and passed on the same merge or source commit. */
export class MergeQueueFlakyStep {
  @Field(rules.text(NAME_LENGTH_MAX), { description: 'As the gate runs name it', example: 'unit tests' })
  failingStep!: string;

  @Field(rules.integer, {
    description: 'Runs that ended at this step although another run of the same commit passed',
  })
  flakyRuns!: number;

  @Field(rules.integer, { description: 'All runs that ended at this step' })
  failingRuns!: number;

  @Field(rules.instant, { description: 'When the newest flaky run began' })
  lastAt!: string;

  @Field(rules.id, { description: 'The newest flaky run' })
  lastGateRunId!: string;

  @Field(rules.text(REPOSITORY_LENGTH_MAX), { description: 'Its log, if it names one', optional: true })
  lastLogRef?: string;
}

/** The outcomes of the reviews of a queue. Spec: API, Statistics of a queue. */
export class MergeQueueStatistics {
  @Field(rules.branch, { description: 'Target branch of the queue', example: 'main' })
  targetBranch!: string;

  @Field(rules.remote, {
    description: 'Canonical identity of the repository; absent if no move names one',
    optional: true,
    example: 'https://git.example.com/acme/app',
  })
  repository?: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC, inclusive' })
  since!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC, inclusive' })
  until!: string;

  @Field(rules.shape(MergeQueueOutcomes), { description: 'Counted over the whole time' })
  outcomes!: MergeQueueOutcomes;

  @Field(rules.shape(MergeQueueDurations), {
    description: 'Time from READY to MERGE, of the newest 200 merges in the time through the queue',
  })
  readyToMerge!: MergeQueueDurations;

  @Field(rules.shape(MergeQueueDurations), { description: 'Time from MERGE to MERGED, of the same merges' })
  mergeToMerged!: MergeQueueDurations;

  @Field(rules.shape(MergeQueueDurations), { description: 'Time from READY to MERGED, of the same merges' })
  readyToMerged!: MergeQueueDurations;

  @Field(rules.listOfShape(MergeQueueFlakyStep), {
    description:
      'Steps at which the newest 400 runs onto the target branch ended; the flakiest first, 50 at most',
  })
  flakySteps!: MergeQueueFlakyStep[];
}
