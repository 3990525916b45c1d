import {
  BRANCH_LENGTH_MAX,
  NOT_READABLE_REASONS,
  type NotReadableReason,
  REPOSITORY_LENGTH_MAX,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

const queueBranch = rules.refusedAs('INVALID_TARGET_BRANCH', rules.branch);

/** Filters of GET /v1/reviews/merge-queue. */
export class MergeQueueFilters {
  @Field(rules.filterText(REPOSITORY_LENGTH_MAX), { description: 'Remote of the repository', optional: true })
  repository?: string;

  @Field(rules.filterText(BRANCH_LENGTH_MAX), { description: 'Target branch', optional: true })
  targetBranch?: string;
}

/** Body of POST /v1/reviews/merge-queue/advance. */
export class AdvanceMergeQueue {
  @Field(rules.remote, { description: 'Remote of the repository whose head is meant', optional: true })
  repository?: string;

  @Field(queueBranch, { description: 'Target branch of the queue', example: 'main' })
  targetBranch!: string;
}

/** Body of POST /v1/reviews/merge-queue/override-advance. */
export class OverrideAdvanceMergeQueue extends AdvanceMergeQueue {
  @Field(rules.requiredReason, {
    description: 'Why the open threads are passed over; kept in the audit trail',
  })
  reason!: string;
}

/** Body of POST /v1/reviews/merge-queue/check. */
export class CheckMergeQueue {
  @Field(rules.remote, { description: 'Remote of the repository, which is read without credentials' })
  repository!: string;

  @Field(queueBranch, { description: 'Target branch of the queue', example: 'main' })
  targetBranch!: string;
}

/** Whether a merge onto that branch could be verified, as far as the remote decides it. */
export class MergeQueueCheck {
  @Field(rules.boolean, { description: 'Whether this service read the tip of the target branch' })
  readable!: boolean;

  @Field(rules.oneOf(NOT_READABLE_REASONS), {
    description:
      'Why it did not; the reason of a MERGED report at this moment. A closed port, a private host and a missing ' +
      'repository have the same one',
    optional: true,
  })
  reason?: NotReadableReason;
}
