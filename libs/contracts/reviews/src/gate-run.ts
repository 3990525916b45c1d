import {
  BRANCH_LENGTH_MAX,
  GATE_RUN_DECISIONS,
  GATE_RUN_VERDICTS,
  type GateRunDecision,
  type GateRunVerdict,
  NAME_LENGTH_MAX,
  REPOSITORY_LENGTH_MAX,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

const step = rules.text(NAME_LENGTH_MAX);
/** The holder of a gate run, in readable form, such as `alice@build-7:/work/app`. */
const holder = rules.text(NAME_LENGTH_MAX);
/** An address or a path, as long as a remote may be. */
const logReference = rules.text(REPOSITORY_LENGTH_MAX);

/** A reported attempt of the merge gate, as every route answers it. Spec: API, Gate run; rule E2. */
export class GateRun {
  @Field(rules.id, { description: 'Assigned by the service' })
  gateRunId!: string;

  @Field(rules.id, { description: 'The tenant that the gate run belongs to' })
  tenantId!: string;

  @Field(rules.branch, { description: 'The branch that is gated', example: 'feature/42-rate-limits' })
  sourceBranch!: string;

  @Field(rules.branch, { description: 'The branch it is to land on', example: 'main' })
  targetBranch!: string;

  @Field(rules.commitId, { description: 'Tip of the source branch' })
  sourceCommit!: string;

  @Field(rules.commitId, {
    description: 'The prospective merge commit that was tested; may be absent on FAILED and INCONCLUSIVE',
    optional: true,
  })
  mergeCommit?: string;

  @Field(rules.id, { description: 'The review that is gated, where there is one', optional: true })
  reviewId?: string;

  @Field(rules.name, { description: 'Present with reviewId', optional: true, example: 'Add rate limits' })
  reviewName?: string;

  @Field(rules.oneOf(GATE_RUN_VERDICTS), {
    description: 'INCONCLUSIVE: no real verdict was reached, worth re-driving',
  })
  verdict!: GateRunVerdict;

  @Field(step, { description: 'Always on FAILED', optional: true, example: 'unit tests' })
  failingStep?: string;

  @Field(logReference, { description: 'Where the log is, when available', optional: true })
  logRef?: string;

  @Field(holder, {
    description: 'Who gates, where the run is held: the review has no other held run that is RUNNING',
    optional: true,
    example: 'alice@build-7:/work/app',
  })
  holder?: string;

  @Field(rules.id, { description: 'Who started it' })
  creatorUserId!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** A page of gate runs, newest first. */
export class GateRunPage {
  @Field(rules.listOfShape(GateRun), { description: 'Newest first' })
  gateRuns!: GateRun[];

  @Field(rules.filterText(128), { description: 'Absent on the last page', optional: true })
  nextCursor?: string;
}

/** Query of GET /v1/gate-runs; all filters that are given must hold. */
export class GateRunQuery {
  @Field(rules.filterText(BRANCH_LENGTH_MAX), { description: 'Target branch', optional: true })
  targetBranch?: string;

  @Field(rules.filterText(BRANCH_LENGTH_MAX), { description: 'Source branch', optional: true })
  sourceBranch?: string;

  @Field(rules.oneOf(GATE_RUN_VERDICTS), { description: 'Verdict', optional: true })
  status?: GateRunVerdict;

  @Field(rules.id, { description: 'Review', optional: true })
  reviewId?: string;

  @Field(rules.cursor, { description: 'nextCursor of the page before', optional: true })
  cursor?: string;

  @Field(rules.integerText, { description: 'Rows a page: 50 unless given, 200 at most', optional: true })
  limit?: string;
}

/** Body of POST /v1/gate-runs. The service checks the fields that the verdict requires. */
export class CreateGateRun {
  @Field(rules.branch, { description: 'The branch that is gated', example: 'feature/42-rate-limits' })
  sourceBranch!: string;

  @Field(rules.branch, { description: 'The branch it is to land on', example: 'main' })
  targetBranch!: string;

  @Field(rules.commitId, { description: 'Tip of the source branch' })
  sourceCommit!: string;

  @Field(rules.commitId, { description: 'Required unless FAILED or INCONCLUSIVE', optional: true })
  mergeCommit?: string;

  @Field(rules.id, { description: 'The review that is gated', optional: true })
  reviewId?: string;

  @Field(rules.oneOf(GATE_RUN_VERDICTS), { description: 'RUNNING when absent', optional: true })
  verdict?: GateRunVerdict;

  @Field(step, { description: 'Required for FAILED; dropped for RUNNING and PASSED', optional: true })
  failingStep?: string;

  @Field(logReference, { description: 'Where the log is', optional: true })
  logRef?: string;

  @Field(holder, {
    description: 'Holds the run: refused while another held run of the review is RUNNING',
    optional: true,
    example: 'alice@build-7:/work/app',
  })
  holder?: string;
}

/** Body of PATCH /v1/gate-runs/{gate_run_id}. */
export class UpdateGateRun {
  @Field(rules.oneOf(GATE_RUN_DECISIONS), { description: 'Verdict of the run' })
  verdict!: GateRunDecision;

  @Field(step, { description: 'Required for FAILED; dropped for PASSED', optional: true })
  failingStep?: string;

  @Field(logReference, { description: 'Where the log is; kept as it was when absent', optional: true })
  logRef?: string;
}
