// Written by `npm run generate` from docs/openapi/reviews.json; nobody edits it.
export interface paths {
  '/v1/gate-runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Page through gate runs, newest first */
    get: operations['listGateRuns'];
    put?: never;
    /** Make a gate attempt visible, running or decided */
    post: operations['createGateRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/gate-runs/{gate_run_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show one gate run */
    get: operations['getGateRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Decide a running gate run */
    patch: operations['updateGateRun'];
    trace?: never;
  };
  '/v1/merge-receipt-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the public keys of merge receipts to anybody, as a JSON Web Key Set */
    get: operations['listMergeReceiptKeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List reviews, newest first */
    get: operations['listReviews'];
    put?: never;
    /** Propose a source branch onto a target branch */
    post: operations['createReview'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/merge-queue': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the reviews that wait, in queue order */
    get: operations['listMergeQueue'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/merge-queue/advance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Promote the head of a queue to MERGE */
    post: operations['advanceMergeQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/merge-queue/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Read the target branch of a queue as a verification would, to learn whether its merges can be verified */
    post: operations['checkMergeQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/merge-queue/override-advance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Promote the head of a queue although it has open comment threads */
    post: operations['overrideAdvanceMergeQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/merge-queue/statistics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count what became of the reviews of a queue, how long it took, and which steps of the gate are flaky */
    get: operations['getMergeQueueStatistics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/merge-queue/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show what a queue does: its slot, who waits for how long and for what, and when it will be merged */
    get: operations['getMergeQueueStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show one review */
    get: operations['getReview'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/comments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List a review's comments by commit, file and line */
    get: operations['listComments'];
    put?: never;
    /** Open a comment thread, or reply to one */
    post: operations['createComment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/comments/{comment_id}/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Close or reopen a comment thread, as its author */
    patch: operations['updateCommentStatus'];
    trace?: never;
  };
  '/v1/reviews/{review_id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Page through the moves of a review, newest first */
    get: operations['getReviewHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/merge-receipt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show why a MERGED review was believed and what landed, signed */
    get: operations['getMergeReceipt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/reviewers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List who is assigned to review, oldest assignment first */
    get: operations['listReviewers'];
    put?: never;
    /** Assign a user of the tenant to review */
    post: operations['addReviewer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/reviewers/{user_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Take an assignment back */
    delete: operations['removeReviewer'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Report what became of a review */
    patch: operations['updateReviewStatus'];
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AddReviewer: {
      /**
       * Format: uuid
       * @description A user of the review's tenant
       */
      userId: string;
    };
    AdvanceMergeQueue: {
      /** @description Remote of the repository whose head is meant */
      repository?: string;
      /**
       * @description Target branch of the queue
       * @example main
       */
      targetBranch: string;
    };
    CheckMergeQueue: {
      /** @description Remote of the repository, which is read without credentials */
      repository: string;
      /**
       * @description Target branch of the queue
       * @example main
       */
      targetBranch: string;
    };
    Comment: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      commentId: string;
      /**
       * Format: uuid
       * @description The tenant that the comment belongs to
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The review that is commented on
       */
      reviewId: string;
      /**
       * Format: uuid
       * @description Who wrote it
       */
      creatorUserId: string;
      /**
       * @description Of a thread, on its root comment only
       * @enum {string}
       */
      status?: 'OPEN' | 'CLOSED';
      /**
       * Format: uuid
       * @description The root that a reply belongs to
       */
      parentCommentId?: string;
      /** @description The commit that is commented on */
      commitId: string;
      /**
       * @description Path in the repository
       * @example src/clock.ts
       */
      filePath: string;
      /** @description Line of the file, from 1 */
      line: number;
      /** @description What it says */
      body: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      updatedAt: string;
    };
    CreateComment: {
      /**
       * Format: uuid
       * @description The root to reply to; a reply repeats its address
       */
      parentCommentId?: string;
      /** @description The commit that is commented on */
      commitId: string;
      /**
       * @description Path in the repository
       * @example src/clock.ts
       */
      filePath: string;
      /** @description Line of the file, from 1 */
      line: number;
      /** @description What it says */
      body: string;
    };
    CreateGateRun: {
      /**
       * @description The branch that is gated
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * @description The branch it is to land on
       * @example main
       */
      targetBranch: string;
      /** @description Tip of the source branch */
      sourceCommit: string;
      /** @description Required unless FAILED or INCONCLUSIVE */
      mergeCommit?: string;
      /**
       * Format: uuid
       * @description The review that is gated
       */
      reviewId?: string;
      /**
       * @description RUNNING when absent
       * @enum {string}
       */
      verdict?: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
      /** @description Required for FAILED; dropped for RUNNING and PASSED */
      failingStep?: string;
      /** @description Where the log is */
      logRef?: string;
      /**
       * @description Holds the run: refused while another held run of the review is RUNNING
       * @example alice@build-7:/work/app
       */
      holder?: string;
    };
    CreateReview: {
      /** @description Remote of the repository; canonicalized */
      repository?: string;
      /**
       * @description Becomes the squash-merge message
       * @example Add rate limits
       */
      name: string;
      /**
       * @description The branch to merge
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * @description The branch to merge onto
       * @example main
       */
      targetBranch: string;
    };
    DivergentLanding: {
      /**
       * Format: uuid
       * @description The review
       */
      reviewId: string;
      /**
       * @description Its name
       * @example Add rate limits
       */
      name: string;
      /**
       * @description The branch to merge
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * Format: uuid
       * @description Who created it
       */
      authorUserId: string;
      /**
       * Format: date-time
       * @description When it was MERGED, RFC 3339 UTC
       */
      landedAt: string;
    };
    GateRun: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      gateRunId: string;
      /**
       * Format: uuid
       * @description The tenant that the gate run belongs to
       */
      tenantId: string;
      /**
       * @description The branch that is gated
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * @description The branch it is to land on
       * @example main
       */
      targetBranch: string;
      /** @description Tip of the source branch */
      sourceCommit: string;
      /** @description The prospective merge commit that was tested; may be absent on FAILED and INCONCLUSIVE */
      mergeCommit?: string;
      /**
       * Format: uuid
       * @description The review that is gated, where there is one
       */
      reviewId?: string;
      /**
       * @description Present with reviewId
       * @example Add rate limits
       */
      reviewName?: string;
      /**
       * @description INCONCLUSIVE: no real verdict was reached, worth re-driving
       * @enum {string}
       */
      verdict: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
      /**
       * @description Always on FAILED
       * @example unit tests
       */
      failingStep?: string;
      /** @description Where the log is, when available */
      logRef?: string;
      /**
       * @description Who gates, where the run is held: the review has no other held run that is RUNNING
       * @example alice@build-7:/work/app
       */
      holder?: string;
      /**
       * Format: uuid
       * @description Who started it
       */
      creatorUserId: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      updatedAt: string;
    };
    GateRunPage: {
      /** @description Newest first */
      gateRuns: components['schemas']['GateRun'][];
      /** @description Absent on the last page */
      nextCursor?: string;
    };
    MergeFinding: {
      /**
       * @description missing: the reviewed change is not there; undone: the target's own work is gone; altered: it is there, but not as it was; extra: nobody reviewed it
       * @enum {string}
       */
      kind: 'missing' | 'undone' | 'altered' | 'extra';
      /**
       * @description The file, its path cut after 300 characters; what cannot be printed is shown as ?
       * @example src/limits.ts
       */
      path: string;
      /**
       * @description In which version of the file the lines are counted: the reviewed source's, the target's before the landing, or the landed one
       * @enum {string}
       */
      in?: 'source' | 'target' | 'landed';
      /** @description First line; absent for a file as a whole */
      firstLine?: number;
      /** @description Last line, inclusive */
      lastLine?: number;
    };
    MergeInclusion: {
      /** @description Place of the entry in the log, from 0 */
      index: number;
      /** @description The entry, byte for byte; its commitment `open` is SHA-256 of the salt and the statement */
      leaf: string;
      /** @description Salt of the commitment, base64 */
      salt: string;
      /** @description RFC 6962 audit path, base64, from the entry upwards */
      hashes: string[];
      /** @description The signed checkpoint of the log that has the entry (C2SP tlog-checkpoint) */
      checkpoint: string;
    };
    MergeQueueBlockers: {
      /** @description OPEN comment threads */
      openThreads: number;
    };
    MergeQueueCheck: {
      /** @description Whether this service read the tip of the target branch */
      readable: boolean;
      /**
       * @description Why it did not; the reason of a MERGED report at this moment. A closed port, a private host and a missing repository have the same one
       * @enum {string}
       */
      reason?: 'remote_refused' | 'remote_unreadable' | 'remote_too_large' | 'branch_missing';
    };
    MergeQueueDurations: {
      /** @description How many durations */
      basis: number;
      /** @description Mean, in seconds */
      meanSeconds?: number;
      /** @description Median, in seconds */
      p50Seconds?: number;
      /** @description 95th percentile, in seconds */
      p95Seconds?: number;
    };
    MergeQueueEntry: {
      /**
       * Format: uuid
       * @description The review
       */
      reviewId: string;
      /**
       * @description Its name
       * @example Add rate limits
       */
      name: string;
      /**
       * @description The branch to merge
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * Format: uuid
       * @description Who created it
       */
      authorUserId: string;
      /** @description Counted from 1, the head */
      position: number;
      /**
       * Format: date-time
       * @description When it entered the queue, RFC 3339 UTC
       */
      since: string;
      /** @description Absent if nothing does */
      blockedBy?: components['schemas']['MergeQueueBlockers'];
      /** @description When it will be MERGED */
      estimate: components['schemas']['MergeQueueEstimate'];
    };
    MergeQueueEstimate: {
      /**
       * Format: date-time
       * @description One of ten is MERGED earlier; to the minute
       */
      earliest?: string;
      /**
       * Format: date-time
       * @description Half of them are MERGED earlier; to the minute
       */
      likely?: string;
      /**
       * Format: date-time
       * @description Nine of ten are MERGED earlier; to the minute
       */
      latest?: string;
      /** @description How many of the last merges it is computed from */
      basis?: number;
      /** @description Median error of last week's estimates, in seconds; absent if there are none */
      errorSeconds?: number;
      /**
       * @description Present instead of all others. TOO_FEW_MERGES: fewer than five. BLOCKED: it has open threads. HEAD_BLOCKED: the head has. OVERDUE: the present turn takes longer than any of the last ones took
       * @enum {string}
       */
      unavailable?: 'TOO_FEW_MERGES' | 'BLOCKED' | 'HEAD_BLOCKED' | 'OVERDUE';
    };
    MergeQueueEstimateErrors: {
      /** @description How many estimates: one a review that entered and was MERGED */
      estimates: number;
      /** @description Median distance of likely from the merge, in seconds */
      medianSeconds: number;
      /** @description How many merges were between earliest and latest */
      withinRange: number;
    };
    MergeQueueFlakyStep: {
      /**
       * @description As the gate runs name it
       * @example unit tests
       */
      failingStep: string;
      /** @description Runs that ended at this step although another run of the same commit passed */
      flakyRuns: number;
      /** @description All runs that ended at this step */
      failingRuns: number;
      /**
       * Format: date-time
       * @description When the newest flaky run began
       */
      lastAt: string;
      /**
       * Format: uuid
       * @description The newest flaky run
       */
      lastGateRunId: string;
      /** @description Its log, if it names one */
      lastLogRef?: string;
    };
    MergeQueueOutcomes: {
      /** @description Became READY by a build */
      entered: number;
      /** @description Promoted to MERGE, overrides included */
      promoted: number;
      /** @description Promoted over open threads */
      promotedByOverride: number;
      /** @description MERGED through the queue */
      merged: number;
      /** @description MERGED without the queue */
      reconciled: number;
      /** @description FAILED by a GATE build */
      gateFailed: number;
      /** @description FAILED by another build, whether in the queue or not */
      buildFailed: number;
      /** @description Put back from MERGE to the tail */
      requeued: number;
      /** @description CLOSED */
      closed: number;
    };
    MergeQueuePace: {
      /** @description How many of the last merges it is computed from, 30 at most */
      basis: number;
      /** @description false: fewer than five merges, so the times are defaults */
      measured: boolean;
      /** @description Median from MERGE to MERGED, in seconds */
      p50Seconds: number;
      /** @description 95th percentile from MERGE to MERGED, in seconds */
      p95Seconds: number;
      /** @description The slot is LATE after this time: p95Seconds, at least 60 */
      lateAfterSeconds: number;
      /** @description The slot is STUCK after this time: three times lateAfterSeconds, at least 300 */
      stuckAfterSeconds: number;
      /** @description Absent if none of last week's estimates can be judged */
      errors?: components['schemas']['MergeQueueEstimateErrors'];
    };
    MergeQueueReview: {
      /**
       * Format: uuid
       * @description The review
       */
      reviewId: string;
      /**
       * @description Its name
       * @example Add rate limits
       */
      name: string;
      /**
       * @description The branch to merge
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * Format: uuid
       * @description Who created it
       */
      authorUserId: string;
    };
    MergeQueueSlot: {
      /** @description The review at MERGE; absent if the slot is free */
      review?: components['schemas']['MergeQueueReview'];
      /**
       * Format: date-time
       * @description When the review was promoted; for a free slot, since when the head could have been. Absent if nothing waits
       */
      since?: string;
      /**
       * @description IDLE: nothing waits. HEAD_NOT_ADVANCED: the slot is free and nobody promotes the head. HEAD_BLOCKED: it is free and the head has open threads. NO_GATE_RUN: no gate run since the promotion. GATE_RUNNING: one runs. GATE_PASSED_NOT_REPORTED: it passed, and MERGED is not reported. GATE_FAILED_NOT_RECORDED: it failed, and no failed GATE build is recorded. GATE_INCONCLUSIVE: no run has reached a verdict
       * @enum {string}
       */
      activity:
        | 'IDLE'
        | 'HEAD_NOT_ADVANCED'
        | 'HEAD_BLOCKED'
        | 'NO_GATE_RUN'
        | 'GATE_RUNNING'
        | 'GATE_PASSED_NOT_REPORTED'
        | 'GATE_FAILED_NOT_RECORDED'
        | 'GATE_INCONCLUSIVE';
      /**
       * Format: uuid
       * @description The gate run that says so
       */
      gateRunId?: string;
      /**
       * Format: date-time
       * @description When that gate run began, or was decided; present with gateRunId
       */
      gateRunSince?: string;
      /**
       * @description ON_TIME; LATE after lateAfterSeconds and STUCK after stuckAfterSeconds, counted from gateRunSince if a gate run says the activity, else from since, and LATE only if the pace is measured; BLOCKED while the head has open threads
       * @enum {string}
       */
      health: 'ON_TIME' | 'LATE' | 'STUCK' | 'BLOCKED';
      /**
       * @description Why it is LATE, STUCK or BLOCKED; absent if it is ON_TIME
       * @enum {string}
       */
      cause?:
        | 'IDLE'
        | 'HEAD_NOT_ADVANCED'
        | 'HEAD_BLOCKED'
        | 'NO_GATE_RUN'
        | 'GATE_RUNNING'
        | 'GATE_PASSED_NOT_REPORTED'
        | 'GATE_FAILED_NOT_RECORDED'
        | 'GATE_INCONCLUSIVE';
      /** @description When the review at MERGE will be MERGED; absent if the slot is free */
      estimate?: components['schemas']['MergeQueueEstimate'];
    };
    MergeQueueStatistics: {
      /**
       * @description Target branch of the queue
       * @example main
       */
      targetBranch: string;
      /**
       * @description Canonical identity of the repository; absent if no move names one
       * @example https://git.example.com/acme/app
       */
      repository?: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC, inclusive
       */
      since: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC, inclusive
       */
      until: string;
      /** @description Counted over the whole time */
      outcomes: components['schemas']['MergeQueueOutcomes'];
      /** @description From READY to MERGE, of the newest 200 merges in the time through the queue */
      readyToMerge: components['schemas']['MergeQueueDurations'];
      /** @description From MERGE to MERGED, of the same merges */
      mergeToMerged: components['schemas']['MergeQueueDurations'];
      /** @description From READY to MERGED, of the same merges */
      readyToMerged: components['schemas']['MergeQueueDurations'];
      /** @description Of the newest 400 runs onto the target branch that ended at a step; the flakiest first, 50 at most */
      flakySteps: components['schemas']['MergeQueueFlakyStep'][];
    };
    MergeQueueStatus: {
      /**
       * @description Target branch of the queue
       * @example main
       */
      targetBranch: string;
      /**
       * @description Canonical identity of the repository; absent if none is named or waits
       * @example https://git.example.com/acme/app
       */
      repository?: string;
      /** @description Raised by every move of a review onto this target branch; 0 if there was none */
      version: number;
      /** @description The slot of the queue */
      slot: components['schemas']['MergeQueueSlot'];
      /** @description How long this queue takes, by its last merges */
      pace: components['schemas']['MergeQueuePace'];
      /** @description Those of the last 30 landings whose content is DIVERGENT, newest first; absent if there is none */
      divergent?: components['schemas']['DivergentLanding'][];
      /** @description The reviews that wait, in queue order */
      entries: components['schemas']['MergeQueueEntry'][];
      /** @description Absent on the last page */
      nextCursor?: string;
    };
    MergeReceipt: {
      /**
       * @description Version of the statement: what its fields are and mean
       * @example 1
       */
      statementVersion: number;
      /**
       * Format: uuid
       * @description The tenant that the review belongs to
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The review that is MERGED
       */
      reviewId: string;
      /**
       * @description Name of the review
       * @example Add rate limits
       */
      name: string;
      /**
       * @description Where the repository was read, without credentials
       * @example https://git.example.com/acme/app.git
       */
      remoteUrl: string;
      /**
       * @description The branch that was reviewed
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * @description The branch it landed on
       * @example main
       */
      targetBranch: string;
      /**
       * @description Merged through the queue, or found landed
       * @enum {string}
       */
      route: 'queue' | 'reconciled';
      /**
       * @description The conditions of the contract that were judged and met
       * @example [
       *       "A1",
       *       "A2",
       *       "A3"
       *     ]
       */
      conditions: string[];
      /** @description Tip of the target branch as it was read */
      targetTip: string;
      /** @description The commit that landed, where it is known */
      commitId?: string;
      /** @description The commit that brought the reviewed change, where it is not the reported one; the verdict is about this commit */
      landedCommitId?: string;
      /** @description First parent of the commit */
      parentCommitId?: string;
      /** @description Tree of the commit */
      treeId?: string;
      /** @description The merge commit before it in the queue, of which it is a descendant */
      anchorCommitId?: string;
      /** @description Tip of the source branch as it was read */
      sourceTip?: string;
      /**
       * Format: uuid
       * @description The GATE build accepted with MERGED
       */
      buildId?: string;
      /**
       * @description Whether the landed content is the reviewed one: EXACT its merge, SAME_CHANGE with more or a decision by hand, DIVERGENT with something missing or undone, UNKNOWN not computed
       * @enum {string}
       */
      contentVerdict: 'EXACT' | 'SAME_CHANGE' | 'DIVERGENT' | 'UNKNOWN';
      /**
       * @description Why the verdict is not EXACT
       * @enum {string}
       */
      contentReason?:
        | 'extra_content'
        | 'conflict_resolved'
        | 'rename'
        | 'rebased'
        | 'layout'
        | 'several_merge_bases'
        | 'source_change_missing'
        | 'target_change_undone'
        | 'source_missing'
        | 'source_merged_before'
        | 'landing_not_found'
        | 'no_parent'
        | 'octopus'
        | 'unrelated_history'
        | 'too_tangled'
        | 'remote_refused'
        | 'remote_unreadable'
        | 'remote_too_large'
        | 'out_of_time'
        | 'not_computed';
      /** @description The older commit of the target branch on which the landing was built, if it was built on one */
      builtOnCommitId?: string;
      /** @description Where the landing is not what was reviewed, the worst first, at most 20 */
      findings?: components['schemas']['MergeFinding'][];
      /**
       * @description How many more findings there are than are listed
       * @example 3
       */
      findingsLeftOut?: number;
      /**
       * Format: date-time
       * @description When the content was judged, if it could not be judged when the merge was verified
       */
      contentJudgedAt?: string;
      /**
       * Format: date-time
       * @description When it was verified, RFC 3339 UTC
       */
      verifiedAt: string;
      /**
       * @description Compact JWS (EdDSA over Ed25519) whose payload is this object without jws and inclusion; kid is the RFC 7638 thumbprint of its key
       * @example eyJhbGciOiJFZERTQSJ9.eyJyb3V0ZSI6InF1ZXVlIn0.c2lnbmF0dXJl
       */
      jws: string;
      /** @description Proof that the statement is sealed; absent until it is, which takes a minute at most */
      inclusion?: components['schemas']['MergeInclusion'];
    };
    MergeReceiptKey: {
      /**
       * @description Key type
       * @enum {string}
       */
      kty: 'OKP';
      /**
       * @description Curve
       * @enum {string}
       */
      crv: 'Ed25519';
      /** @description The key itself, base64url */
      x: string;
      /** @description RFC 7638 thumbprint */
      kid: string;
      /**
       * @description What it signs with
       * @enum {string}
       */
      alg: 'EdDSA';
      /**
       * @description What it is for
       * @enum {string}
       */
      use: 'sig';
    };
    MergeReceiptKeySet: {
      /** @description Empty when the deployment signs no receipts */
      keys: components['schemas']['MergeReceiptKey'][];
    };
    OverrideAdvanceMergeQueue: {
      /** @description Remote of the repository whose head is meant */
      repository?: string;
      /**
       * @description Target branch of the queue
       * @example main
       */
      targetBranch: string;
      /** @description Why the open threads are passed over; kept in the audit trail */
      reason: string;
    };
    Review: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      reviewId: string;
      /**
       * Format: uuid
       * @description The tenant that the review belongs to
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The caller that created the review
       */
      authorUserId: string;
      /**
       * @description Becomes the squash-merge message
       * @example Add rate limits
       */
      name: string;
      /**
       * @description Canonical identity of the repository; absent when none is recorded
       * @example https://git.example.com/acme/app
       */
      repository?: string;
      /**
       * @description The branch to merge onto
       * @example main
       */
      targetBranch: string;
      /**
       * @description The branch to merge
       * @example feature/42-rate-limits
       */
      sourceBranch: string;
      /**
       * @description Where the review stands
       * @enum {string}
       */
      status: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
      /**
       * Format: uuid
       * @description The failed build that moved the review to FAILED
       */
      lastFailedBuildId?: string;
      /**
       * Format: uuid
       * @description The successful build that moved the review to READY
       */
      lastReadyBuildId?: string;
      /**
       * Format: uuid
       * @description The GATE build accepted with MERGED
       */
      lastMergedBuildId?: string;
      /**
       * @description Of a MERGED review that is read or listed: whether the landed content is the reviewed one, as its receipt says. DIVERGENT: it is not
       * @enum {string}
       */
      contentVerdict?: 'EXACT' | 'SAME_CHANGE' | 'DIVERGENT' | 'UNKNOWN';
      /**
       * @description The number of the issue that the source branch names
       * @example 42
       */
      issueRef?: string;
      /**
       * @description Present exactly with issueRef
       * @enum {string}
       */
      issueRefSource?: 'INFERRED' | 'DECLARED';
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      updatedAt: string;
    };
    ReviewEvent: {
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      at: string;
      /**
       * @description Absent with CREATED
       * @enum {string}
       */
      from?: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
      /**
       * @description The status that it moved to
       * @enum {string}
       */
      to: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
      /**
       * @description What moved it
       * @enum {string}
       */
      cause:
        | 'CREATED'
        | 'BUILD_SUCCEEDED'
        | 'BUILD_FAILED'
        | 'GATE_FAILED'
        | 'PROMOTED'
        | 'PROMOTED_BY_OVERRIDE'
        | 'REQUEUED'
        | 'MERGED'
        | 'RECONCILED'
        | 'CLOSED';
      /**
       * Format: uuid
       * @description Who caused it
       */
      actorUserId: string;
      /**
       * @description The name of who caused it
       * @example alice
       */
      actorUsername: string;
      /**
       * Format: uuid
       * @description The build that is the cause, or was accepted with MERGED
       */
      buildId?: string;
      /** @description Given with PROMOTED_BY_OVERRIDE */
      reason?: string;
      /** @description Its place in the line: the lower one is promoted first */
      ticket?: number;
      /** @description The version of the queue; absent with CREATED */
      queueVersion?: number;
    };
    ReviewHistory: {
      /** @description Newest first */
      events: components['schemas']['ReviewEvent'][];
      /** @description Absent on the last page */
      nextCursor?: string;
    };
    Reviewer: {
      /**
       * Format: uuid
       * @description The tenant of review and user alike
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The review
       */
      reviewId: string;
      /**
       * Format: uuid
       * @description The user who is to review it
       */
      userId: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      updatedAt: string;
    };
    UpdateCommentStatus: {
      /**
       * @description CLOSED resolves the thread, OPEN reopens it
       * @enum {string}
       */
      status: 'OPEN' | 'CLOSED';
    };
    UpdateGateRun: {
      /**
       * @description What the run is decided as
       * @enum {string}
       */
      verdict: 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
      /** @description Required for FAILED; dropped for PASSED */
      failingStep?: string;
      /** @description Where the log is; kept as it was when absent */
      logRef?: string;
    };
    UpdateReviewStatus: {
      /**
       * @description The status that the review is to have
       * @enum {string}
       */
      status: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
      /**
       * Format: uuid
       * @description The build that proves it
       */
      buildId?: string;
      /** @description Where the merge can be read; with MERGED only */
      remoteUrl?: string;
    };
    Error: {
      /** @description A code of docs/errors.md */
      code: string;
      /** @description For a person */
      message: string;
      /** @description What the code documents */
      details?: {
        [key: string]: unknown;
      };
    };
    UnresolvedThreads: {
      /** @enum {string} */
      error: 'unresolved_threads';
      /** @description For a person */
      message: string;
      /** Format: uuid */
      reviewId: string;
      /** @description OPEN threads on the head of the queue */
      unresolvedThreads: number;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listGateRuns: {
    parameters: {
      query?: {
        /** @description Target branch */
        targetBranch?: string;
        /** @description Source branch */
        sourceBranch?: string;
        /** @description Verdict */
        status?: 'RUNNING' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE';
        /** @description Review */
        reviewId?: string;
        /** @description nextCursor of the page before */
        cursor?: string;
        /** @description Rows a page: 50 unless given, 200 at most */
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "gateRuns": [
           *         {
           *           "gateRunId": "01920000-0000-7000-8000-000000000001",
           *           "tenantId": "01920000-0000-7000-8000-000000000001",
           *           "sourceBranch": "feature/42-rate-limits",
           *           "targetBranch": "main",
           *           "sourceCommit": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *           "reviewName": "Add rate limits",
           *           "verdict": "RUNNING",
           *           "failingStep": "unit tests",
           *           "holder": "alice@build-7:/work/app",
           *           "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *           "createdAt": "2026-01-02T03:04:05.678901Z",
           *           "updatedAt": "2026-01-02T03:04:05.678901Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['GateRunPage'];
        };
      };
      /** @description INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createGateRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters, new for each request. Within 24 hours a repeat with the same key and body is answered as the first request was, and creates nothing */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sourceBranch": "feature/42-rate-limits",
         *       "targetBranch": "main",
         *       "sourceCommit": "8b0680813735b69fe333cbe0ba43f338cfbca742",
         *       "holder": "alice@build-7:/work/app"
         *     }
         */
        'application/json': components['schemas']['CreateGateRun'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description true, if an earlier request with the key was answered so */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "gateRunId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "targetBranch": "main",
           *       "sourceCommit": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "reviewName": "Add rate limits",
           *       "verdict": "RUNNING",
           *       "failingStep": "unit tests",
           *       "holder": "alice@build-7:/work/app",
           *       "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['GateRun'];
        };
      };
      /** @description INVALID_BODY, INVALID_COMMIT_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description GATE_RUN_HELD, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getGateRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the answer that the caller has */
        'If-None-Match'?: string;
        /** @description wait=N: with If-None-Match, answer once the answer is another, or 304 after N seconds, 30 at most (RFC 7240) */
        Prefer?: string;
      };
      path: {
        gate_run_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "gateRunId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "targetBranch": "main",
           *       "sourceCommit": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "reviewName": "Add rate limits",
           *       "verdict": "RUNNING",
           *       "failingStep": "unit tests",
           *       "holder": "alice@build-7:/work/app",
           *       "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['GateRun'];
        };
      };
      /** @description Unchanged: If-None-Match names the current ETag */
      304: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateGateRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        gate_run_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "verdict": "PASSED"
         *     }
         */
        'application/json': components['schemas']['UpdateGateRun'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "gateRunId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "targetBranch": "main",
           *       "sourceCommit": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "reviewName": "Add rate limits",
           *       "verdict": "RUNNING",
           *       "failingStep": "unit tests",
           *       "holder": "alice@build-7:/work/app",
           *       "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['GateRun'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description GATE_RUN_ALREADY_DECIDED */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listMergeReceiptKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "kty": "OKP",
           *           "crv": "Ed25519",
           *           "x": "text",
           *           "kid": "text",
           *           "alg": "EdDSA",
           *           "use": "sig"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['MergeReceiptKeySet'];
        };
      };
      /** @description BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listReviews: {
    parameters: {
      query?: {
        /** @description Remote of the repository */
        repository?: string;
        /** @description Target branch */
        targetBranch?: string;
        /** @description Source branch */
        sourceBranch?: string;
        /** @description Status */
        status?: 'OPEN' | 'CLOSED' | 'FAILED' | 'READY' | 'MERGE' | 'MERGED';
        /** @description Who created the review */
        authorUserId?: string;
        /** @description Who is assigned to review it */
        reviewerUserId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of the contract */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "reviewId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "authorUserId": "01920000-0000-7000-8000-000000000001",
           *         "name": "Add rate limits",
           *         "repository": "https://git.example.com/acme/app",
           *         "targetBranch": "main",
           *         "sourceBranch": "feature/42-rate-limits",
           *         "status": "OPEN",
           *         "issueRef": "42",
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Review'][];
        };
      };
      /** @description INVALID_QUERY, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createReview: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters, new for each request. Within 24 hours a repeat with the same key and body is answered as the first request was, and creates nothing */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Add rate limits",
         *       "sourceBranch": "feature/42-rate-limits",
         *       "targetBranch": "main"
         *     }
         */
        'application/json': components['schemas']['CreateReview'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description true, if an earlier request with the key was answered so */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "authorUserId": "01920000-0000-7000-8000-000000000001",
           *       "name": "Add rate limits",
           *       "repository": "https://git.example.com/acme/app",
           *       "targetBranch": "main",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "status": "OPEN",
           *       "issueRef": "42",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Review'];
        };
      };
      /** @description INVALID_BODY, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listMergeQueue: {
    parameters: {
      query?: {
        /** @description Remote of the repository */
        repository?: string;
        /** @description Target branch */
        targetBranch?: string;
      };
      header?: {
        /** @description The ETag of the answer that the caller has */
        'If-None-Match'?: string;
        /** @description wait=N: with If-None-Match, answer once the answer is another, or 304 after N seconds, 30 at most (RFC 7240) */
        Prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of the contract */
      200: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "reviewId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "authorUserId": "01920000-0000-7000-8000-000000000001",
           *         "name": "Add rate limits",
           *         "repository": "https://git.example.com/acme/app",
           *         "targetBranch": "main",
           *         "sourceBranch": "feature/42-rate-limits",
           *         "status": "OPEN",
           *         "issueRef": "42",
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Review'][];
        };
      };
      /** @description Unchanged: If-None-Match names the current ETag */
      304: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description INVALID_QUERY, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  advanceMergeQueue: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "targetBranch": "main"
         *     }
         */
        'application/json': components['schemas']['AdvanceMergeQueue'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "authorUserId": "01920000-0000-7000-8000-000000000001",
           *       "name": "Add rate limits",
           *       "repository": "https://git.example.com/acme/app",
           *       "targetBranch": "main",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "status": "OPEN",
           *       "issueRef": "42",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Review'];
        };
      };
      /** @description INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description EMPTY_QUEUE */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] | components['schemas']['UnresolvedThreads'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  checkMergeQueue: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "repository": "text",
         *       "targetBranch": "main"
         *     }
         */
        'application/json': components['schemas']['CheckMergeQueue'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "readable": true
           *     }
           */
          'application/json': components['schemas']['MergeQueueCheck'];
        };
      };
      /** @description INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  overrideAdvanceMergeQueue: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "targetBranch": "main",
         *       "reason": "text"
         *     }
         */
        'application/json': components['schemas']['OverrideAdvanceMergeQueue'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "authorUserId": "01920000-0000-7000-8000-000000000001",
           *       "name": "Add rate limits",
           *       "repository": "https://git.example.com/acme/app",
           *       "targetBranch": "main",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "status": "OPEN",
           *       "issueRef": "42",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Review'];
        };
      };
      /** @description INVALID_BODY, INVALID_TARGET_BRANCH, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description EMPTY_QUEUE */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description MERGE_QUEUE_OCCUPIED, MERGE_QUEUE_AMBIGUOUS */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getMergeQueueStatistics: {
    parameters: {
      query: {
        /** @description Remote of the repository; required if reviews of several repositories wait */
        repository?: string;
        /** @description Target branch of the queue */
        targetBranch: string;
        /** @description RFC 3339, inclusive; 30 days before until unless given, 90 days before it at most */
        since?: string;
        /** @description RFC 3339, inclusive; now unless given */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "targetBranch": "main",
           *       "repository": "https://git.example.com/acme/app",
           *       "since": "2026-01-02T03:04:05.678901Z",
           *       "until": "2026-01-02T03:04:05.678901Z",
           *       "outcomes": {
           *         "entered": 1,
           *         "promoted": 1,
           *         "promotedByOverride": 1,
           *         "merged": 1,
           *         "reconciled": 1,
           *         "gateFailed": 1,
           *         "buildFailed": 1,
           *         "requeued": 1,
           *         "closed": 1
           *       },
           *       "readyToMerge": {
           *         "basis": 1
           *       },
           *       "mergeToMerged": {
           *         "basis": 1
           *       },
           *       "readyToMerged": {
           *         "basis": 1
           *       },
           *       "flakySteps": [
           *         {
           *           "failingStep": "unit tests",
           *           "flakyRuns": 1,
           *           "failingRuns": 1,
           *           "lastAt": "2026-01-02T03:04:05.678901Z",
           *           "lastGateRunId": "01920000-0000-7000-8000-000000000001"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['MergeQueueStatistics'];
        };
      };
      /** @description INVALID_QUERY, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description MERGE_QUEUE_AMBIGUOUS */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getMergeQueueStatus: {
    parameters: {
      query: {
        /** @description Remote of the repository; required if reviews of several repositories wait */
        repository?: string;
        /** @description Target branch of the queue */
        targetBranch: string;
        /** @description nextCursor of the page before */
        cursor?: string;
        /** @description Entries a page: 50 unless given, 200 at most */
        limit?: string;
      };
      header?: {
        /** @description The ETag of the answer that the caller has */
        'If-None-Match'?: string;
        /** @description wait=N: with If-None-Match, answer once the answer is another, or 304 after N seconds, 30 at most (RFC 7240) */
        Prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "targetBranch": "main",
           *       "repository": "https://git.example.com/acme/app",
           *       "version": 1,
           *       "slot": {
           *         "activity": "IDLE",
           *         "health": "ON_TIME"
           *       },
           *       "pace": {
           *         "basis": 1,
           *         "measured": true,
           *         "p50Seconds": 1,
           *         "p95Seconds": 1,
           *         "lateAfterSeconds": 1,
           *         "stuckAfterSeconds": 1
           *       },
           *       "entries": [
           *         {
           *           "reviewId": "01920000-0000-7000-8000-000000000001",
           *           "name": "Add rate limits",
           *           "sourceBranch": "feature/42-rate-limits",
           *           "authorUserId": "01920000-0000-7000-8000-000000000001",
           *           "position": 1,
           *           "since": "2026-01-02T03:04:05.678901Z",
           *           "estimate": {}
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['MergeQueueStatus'];
        };
      };
      /** @description Unchanged: If-None-Match names the current ETag */
      304: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description INVALID_QUERY, INVALID_REPOSITORY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description MERGE_QUEUE_AMBIGUOUS */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getReview: {
    parameters: {
      query?: never;
      header?: {
        /** @description The ETag of the answer that the caller has */
        'If-None-Match'?: string;
        /** @description wait=N: with If-None-Match, answer once the answer is another, or 304 after N seconds, 30 at most (RFC 7240) */
        Prefer?: string;
      };
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "authorUserId": "01920000-0000-7000-8000-000000000001",
           *       "name": "Add rate limits",
           *       "repository": "https://git.example.com/acme/app",
           *       "targetBranch": "main",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "status": "OPEN",
           *       "issueRef": "42",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Review'];
        };
      };
      /** @description Unchanged: If-None-Match names the current ETag */
      304: {
        headers: {
          /** @description Names this answer, for If-None-Match */
          ETag?: string;
          /** @description wait=N, if the request has waited; N may be lowered */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listComments: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of the contract */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "commentId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "reviewId": "01920000-0000-7000-8000-000000000001",
           *         "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *         "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *         "filePath": "src/clock.ts",
           *         "line": 1,
           *         "body": "text",
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Comment'][];
        };
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  createComment: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters, new for each request. Within 24 hours a repeat with the same key and body is answered as the first request was, and creates nothing */
        'Idempotency-Key'?: string;
      };
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
         *       "filePath": "src/clock.ts",
         *       "line": 1,
         *       "body": "text"
         *     }
         */
        'application/json': components['schemas']['CreateComment'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description true, if an earlier request with the key was answered so */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "commentId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "filePath": "src/clock.ts",
           *       "line": 1,
           *       "body": "text",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Comment'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateCommentStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
        comment_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "OPEN"
         *     }
         */
        'application/json': components['schemas']['UpdateCommentStatus'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "commentId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "creatorUserId": "01920000-0000-7000-8000-000000000001",
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "filePath": "src/clock.ts",
           *       "line": 1,
           *       "body": "text",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Comment'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description ALREADY_CLOSED */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getReviewHistory: {
    parameters: {
      query?: {
        /** @description nextCursor of the page before */
        cursor?: string;
        /** @description Rows a page: 50 unless given, 200 at most */
        limit?: string;
      };
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "events": [
           *         {
           *           "at": "2026-01-02T03:04:05.678901Z",
           *           "to": "OPEN",
           *           "cause": "CREATED",
           *           "actorUserId": "01920000-0000-7000-8000-000000000001",
           *           "actorUsername": "alice"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ReviewHistory'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getMergeReceipt: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statementVersion": 1,
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "name": "Add rate limits",
           *       "remoteUrl": "https://git.example.com/acme/app.git",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "targetBranch": "main",
           *       "route": "queue",
           *       "conditions": [
           *         "A1",
           *         "A2",
           *         "A3"
           *       ],
           *       "targetTip": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "contentVerdict": "EXACT",
           *       "findingsLeftOut": 3,
           *       "verifiedAt": "2026-01-02T03:04:05.678901Z",
           *       "jws": "eyJhbGciOiJFZERTQSJ9.eyJyb3V0ZSI6InF1ZXVlIn0.c2lnbmF0dXJl"
           *     }
           */
          'application/json': components['schemas']['MergeReceipt'];
        };
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description REVIEW_NOT_MERGED */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listReviewers: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of the contract */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "reviewId": "01920000-0000-7000-8000-000000000001",
           *         "userId": "01920000-0000-7000-8000-000000000001",
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Reviewer'][];
        };
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  addReviewer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "userId": "01920000-0000-7000-8000-000000000001"
         *     }
         */
        'application/json': components['schemas']['AddReviewer'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "userId": "01920000-0000-7000-8000-000000000001",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Reviewer'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description CONFLICT */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  removeReviewer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
        user_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  updateReviewStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "OPEN"
         *     }
         */
        'application/json': components['schemas']['UpdateReviewStatus'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "reviewId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "authorUserId": "01920000-0000-7000-8000-000000000001",
           *       "name": "Add rate limits",
           *       "repository": "https://git.example.com/acme/app",
           *       "targetBranch": "main",
           *       "sourceBranch": "feature/42-rate-limits",
           *       "status": "OPEN",
           *       "issueRef": "42",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Review'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, INVALID_TRANSITION, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description REVIEW_NOT_MERGING, MERGE_NOT_VERIFIED, CONFLICT */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
