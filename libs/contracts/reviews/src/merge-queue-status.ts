import {
  NO_ESTIMATE_REASONS,
  type NoEstimateReason,
  REPOSITORY_LENGTH_MAX,
  SLOT_ACTIVITIES,
  SLOT_HEALTHS,
  type SlotActivity,
  type SlotHealth,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** A queue, as a query names it. */
export class NamedMergeQueue {
  @Field(rules.filterText(REPOSITORY_LENGTH_MAX), {
    description: 'Remote of the repository; required if reviews of several repositories wait',
    optional: true,
  })
  repository?: string;

  @Field(rules.branch, { description: 'Target branch of the queue', example: 'main' })
  targetBranch!: string;
}

/** Query of GET /v1/reviews/merge-queue/status. */
export class MergeQueueStatusQuery extends NamedMergeQueue {
  @Field(rules.placeCursor, { description: 'nextCursor of the page before', optional: true })
  cursor?: string;

  @Field(rules.integerText, { description: 'Entries a page: 50 unless given, 200 at most', optional: true })
  limit?: string;
}

/** A review that holds the slot or waits. */
export class MergeQueueReview {
  @Field(rules.id, { description: 'The review' })
  reviewId!: string;

  @Field(rules.name, { description: 'Its name', example: 'Add rate limits' })
  name!: string;

  @Field(rules.branch, { description: 'The branch to merge', example: 'feature/42-rate-limits' })
  sourceBranch!: string;

  @Field(rules.id, { description: 'Who created it' })
  authorUserId!: string;
}

/** A review that is MERGED although its landed content is not the reviewed one. */
export class DivergentLanding extends MergeQueueReview {
  @Field(rules.instant, { description: 'When it was MERGED, RFC 3339 UTC' })
  landedAt!: string;
}

/** When a review will be MERGED if it does not fail, or why that is not known. */
export class MergeQueueEstimate {
  @Field(rules.instant, {
    description: 'One review in ten is MERGED before this time; to the minute',
    optional: true,
  })
  earliest?: string;

  @Field(rules.instant, {
    description: 'Half of the reviews are MERGED before this time; to the minute',
    optional: true,
  })
  likely?: string;

  @Field(rules.instant, {
    description: 'Nine reviews in ten are MERGED before this time; to the minute',
    optional: true,
  })
  latest?: string;

  @Field(rules.integer, { description: 'How many of the last merges it is computed from', optional: true })
  basis?: number;

  @Field(rules.seconds, {
    description: "Median error of last week's estimates, in seconds; absent if there are none",
    optional: true,
  })
  errorSeconds?: number;

  @Field(rules.oneOf(NO_ESTIMATE_REASONS), {
    description:
      'Present instead of all others. TOO_FEW_MERGES: fewer than five. BLOCKED: it has open threads. HEAD_BLOCKED: the ' +
      'head has. OVERDUE: the present turn takes longer than any of the last ones took',
    optional: true,
  })
  unavailable?: NoEstimateReason;
}

/** The obstacles that hold a waiting review back. */
export class MergeQueueBlockers {
  @Field(rules.integer, { description: 'OPEN comment threads' })
  openThreads!: number;
}

/** A review that waits. */
export class MergeQueueEntry extends MergeQueueReview {
  @Field(rules.integer, { description: 'Counted from 1, the head' })
  position!: number;

  @Field(rules.instant, { description: 'When it entered the queue, RFC 3339 UTC' })
  since!: string;

  @Field(rules.shape(MergeQueueBlockers), {
    description: 'Causes that keep the review from being promoted; absent if there are none',
    optional: true,
  })
  blockedBy?: MergeQueueBlockers;

  @Field(rules.shape(MergeQueueEstimate), { description: 'When it will be MERGED' })
  estimate!: MergeQueueEstimate;
}

/** The slot of a queue: its activity, and whether it takes longer than usual. */
export class MergeQueueSlot {
  @Field(rules.shape(MergeQueueReview), {
    description: 'The review at MERGE; absent if the slot is free',
    optional: true,
  })
  review?: MergeQueueReview;

  @Field(rules.instant, {
    description:
      'When the review was promoted; for a free slot, since when the head could have been. Absent if nothing waits',
    optional: true,
  })
  since?: string;

  @Field(rules.oneOf(SLOT_ACTIVITIES), {
    description:
      'IDLE: nothing waits. HEAD_NOT_ADVANCED: the slot is free and the head is not promoted. HEAD_BLOCKED: it is free ' +
      'and the head has open threads. NO_GATE_RUN: no gate run since the promotion. GATE_RUNNING: one runs. ' +
      'GATE_PASSED_NOT_REPORTED: it passed, and MERGED is not reported. GATE_FAILED_NOT_RECORDED: it failed, and no ' +
      'failed GATE build is recorded. GATE_INCONCLUSIVE: no run has reached a verdict',
  })
  activity!: SlotActivity;

  @Field(rules.id, { description: 'The gate run that says so', optional: true })
  gateRunId?: string;

  @Field(rules.instant, {
    description: 'When that gate run began, or was decided; present with gateRunId',
    optional: true,
  })
  gateRunSince?: string;

  @Field(rules.oneOf(SLOT_HEALTHS), {
    description:
      'ON_TIME; LATE after lateAfterSeconds and STUCK after stuckAfterSeconds, counted from gateRunSince if a gate run says ' +
      'the activity, else from since, and LATE only if the pace is measured; BLOCKED while the head has open threads',
  })
  health!: SlotHealth;

  @Field(rules.oneOf(SLOT_ACTIVITIES), {
    description: 'Why it is LATE, STUCK or BLOCKED; absent if it is ON_TIME',
    optional: true,
  })
  cause?: SlotActivity;

  @Field(rules.shape(MergeQueueEstimate), {
    description: 'When the review at MERGE will be MERGED; absent if the slot is free',
    optional: true,
  })
  estimate?: MergeQueueEstimate;
}

/** The error of last week's estimates, computed afterwards from the log of moves. */
export class MergeQueueEstimateErrors {
  @Field(rules.integer, { description: 'How many estimates: one a review that entered and was MERGED' })
  estimates!: number;

  @Field(rules.seconds, { description: 'Median distance of likely from the merge, in seconds' })
  medianSeconds!: number;

  @Field(rules.integer, { description: 'How many merges were between earliest and latest' })
  withinRange!: number;
}

/** How long this queue takes from MERGE to MERGED. */
export class MergeQueuePace {
  @Field(rules.integer, { description: 'How many of the last merges it is computed from, 30 at most' })
  basis!: number;

  @Field(rules.boolean, { description: 'false: fewer than five merges, so the times are defaults' })
  measured!: boolean;

  @Field(rules.seconds, { description: 'Median from MERGE to MERGED, in seconds' })
  p50Seconds!: number;

  @Field(rules.seconds, { description: '95th percentile from MERGE to MERGED, in seconds' })
  p95Seconds!: number;

  @Field(rules.seconds, { description: 'The slot is LATE after this time: p95Seconds, at least 60' })
  lateAfterSeconds!: number;

  @Field(rules.seconds, {
    description: 'The slot is STUCK after this time: three times lateAfterSeconds, at least 300',
  })
  stuckAfterSeconds!: number;

  @Field(rules.shape(MergeQueueEstimateErrors), {
    description: "Absent if none of last week's estimates can be judged",
    optional: true,
  })
  errors?: MergeQueueEstimateErrors;
}

/** The present state of a queue. Spec: API, Status of a queue. */
export class MergeQueueStatus {
  @Field(rules.branch, { description: 'Target branch of the queue', example: 'main' })
  targetBranch!: string;

  @Field(rules.remote, {
    description: 'Canonical identity of the repository; absent if none is named or waits',
    optional: true,
    example: 'https://git.example.com/acme/app',
  })
  repository?: string;

  @Field(rules.integer, {
    description: 'Raised by every move of a review onto this target branch; 0 if there was none',
  })
  version!: number;

  @Field(rules.shape(MergeQueueSlot), { description: 'The slot of the queue' })
  slot!: MergeQueueSlot;

  @Field(rules.shape(MergeQueuePace), { description: 'How long this queue takes, by its last merges' })
  pace!: MergeQueuePace;

  @Field(rules.listOfShape(DivergentLanding), {
    description:
      'Landings among the last 30 whose content is DIVERGENT, newest first; absent if there is none',
    optional: true,
  })
  divergent?: DivergentLanding[];

  @Field(rules.listOfShape(MergeQueueEntry), { description: 'The reviews that wait, in queue order' })
  entries!: MergeQueueEntry[];

  @Field(rules.placeCursor, { description: 'Absent on the last page', optional: true })
  nextCursor?: string;
}
