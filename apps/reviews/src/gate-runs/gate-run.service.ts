import { Injectable } from '@nestjs/common';
import { cutPage, type GateRunVerdict, invalidField, newId, notFound, readPage } from '@plat/contracts/core';
import type {
  CreateGateRun,
  GateRun,
  GateRunPage,
  GateRunQuery,
  UpdateGateRun,
} from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { ReviewFigures } from '../review-figures';
import { decideGateRun, findGateRun, insertGateRun, listGateRuns } from './gate-run.queries';
import { toGateRun } from './gate-run.response';

/** Reported attempts of the merge gate. They never move a review. Spec: API, Gate run; rule E2. */
@Injectable()
export class GateRunService {
  constructor(
    private readonly database: Database,
    private readonly figures: ReviewFigures,
  ) {}

  /** @throws INVALID_BODY, NOT_FOUND for a review that is not the caller's, GATE_RUN_HELD */
  async create(
    caller: Caller,
    { verdict = 'RUNNING', failingStep, ...body }: CreateGateRun,
  ): Promise<GateRun> {
    if (body.mergeCommit === undefined && !mayLackMergeCommit(verdict)) {
      throw invalidField('mergeCommit', `mergeCommit is required for ${verdict}.`);
    }
    const step = stepOf(verdict, failingStep);
    const run = { ...body, gateRunId: newId(), verdict, failingStep: step };
    const [row] = await insertGateRun(this.database, caller, run);
    if (!caller.key?.isRepeat) this.figures.countGateRun(verdict);
    return toGateRun(row!);
  }

  /** @throws INVALID_BODY, NOT_FOUND, GATE_RUN_ALREADY_DECIDED */
  async decide(
    caller: Caller,
    gateRunId: string,
    { verdict, failingStep, logRef }: UpdateGateRun,
  ): Promise<GateRun> {
    const decided = { gateRunId, verdict, failingStep: stepOf(verdict, failingStep), logRef };
    const [row] = await decideGateRun(this.database, caller, decided);
    if (!row) throw notFound('gate run');
    this.figures.countGateRun(verdict);
    return toGateRun(row);
  }

  /** @throws NOT_FOUND */
  async get(caller: Caller, gateRunId: string): Promise<GateRun> {
    const [row] = await findGateRun(this.database, caller, gateRunId);
    if (!row) throw notFound('gate run');
    return toGateRun(row);
  }

  /** A page, newest first. The `status` filter compares the verdict. */
  async list(caller: Caller, { status, cursor, limit, ...filters }: GateRunQuery): Promise<GateRunPage> {
    const { size, window } = readPage({ cursor, limit });
    const found = await listGateRuns(this.database, caller, { ...filters, verdict: status, ...window });
    const { rows, nextCursor } = cutPage(found, size, (row) => ({
      createdAt: row.created_at,
      id: row.gate_run_id,
    }));
    return { gateRuns: rows.map(toGateRun), nextCursor };
  }
}

/** A merge that conflicts or was never made has no commit. */
function mayLackMergeCommit(verdict: GateRunVerdict): boolean {
  return verdict === 'FAILED' || verdict === 'INCONCLUSIVE';
}

/** The step at which a run failed: required for FAILED, undefined for a run that did not fail. */
function stepOf(verdict: GateRunVerdict, failingStep: string | undefined): string | undefined {
  if (verdict === 'FAILED' && failingStep === undefined) {
    throw invalidField('failingStep', 'failingStep is required for FAILED.');
  }
  return verdict === 'FAILED' || verdict === 'INCONCLUSIVE' ? failingStep : undefined;
}
