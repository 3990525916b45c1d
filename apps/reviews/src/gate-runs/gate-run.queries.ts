import type { GateRunVerdict, Keyset } from '@plat/contracts/core';
import type { CreateGateRun, UpdateGateRun } from '@plat/contracts/reviews';
import type { Database, KeyedScope, TenantScope } from '@plat/database';

/** A row of reviews.gate_runs. Timestamps are RFC 3339 UTC. */
export interface GateRunRow {
  tenant_id: string;
  gate_run_id: string;
  source_branch: string;
  target_branch: string;
  source_commit: string;
  merge_commit: string | null;
  review_id: string | null;
  review_name: string | null;
  verdict: GateRunVerdict;
  failing_step: string | null;
  log_ref: string | null;
  holder: string | null;
  creator_user_id: string;
  created_at: string;
  updated_at: string;
}

/** Filters, and the row after which the page begins. `rows` is the page size plus one. */
export interface GateRunSelection {
  targetBranch?: string | undefined;
  sourceBranch?: string | undefined;
  verdict?: GateRunVerdict | undefined;
  reviewId?: string | undefined;
  after?: Keyset | undefined;
  rows: number;
}

/** @throws NOT_FOUND for a review that is not the tenant's, GATE_RUN_HELD */
export function insertGateRun(
  database: Database,
  scope: KeyedScope,
  run: CreateGateRun & { gateRunId: string; verdict: GateRunVerdict },
): Promise<GateRunRow[]> {
  const { sourceBranch, targetBranch, sourceCommit, mergeCommit, reviewId, failingStep, logRef, holder } =
    run;
  const given = [sourceBranch, targetBranch, sourceCommit, mergeCommit, reviewId];
  const args = [run.gateRunId, ...given, run.verdict, failingStep, logRef, holder];
  return database.create(scope, {
    name: 'reviews.create_gate_run',
    args: args.map((value) => value ?? null),
  });
}

/**
 * Decides a run that is RUNNING. Returns no row when the tenant has no such run.
 *
 * @throws GATE_RUN_ALREADY_DECIDED
 */
export function decideGateRun(
  database: Database,
  scope: TenantScope,
  { gateRunId, verdict, failingStep = null, logRef = null }: GateRunDecided,
): Promise<GateRunRow[]> {
  return database.call(scope, {
    name: 'reviews.decide_gate_run',
    args: [gateRunId, verdict, failingStep, logRef],
  });
}

type GateRunDecided = Pick<UpdateGateRun, 'verdict'> & {
  gateRunId: string;
  failingStep?: string | null | undefined;
  logRef?: string | null | undefined;
};

export function findGateRun(
  database: Database,
  scope: TenantScope,
  gateRunId: string,
): Promise<GateRunRow[]> {
  return database.find(scope, { name: 'reviews.get_gate_run', args: [gateRunId] });
}

export function listGateRuns(
  database: Database,
  scope: TenantScope,
  { targetBranch, sourceBranch, verdict, reviewId, after, rows }: GateRunSelection,
): Promise<GateRunRow[]> {
  const filters = [targetBranch, sourceBranch, verdict, reviewId, after?.createdAt, after?.id];
  return database.call(scope, {
    name: 'reviews.list_gate_runs',
    args: [...filters.map((value) => value ?? null), rows],
  });
}
