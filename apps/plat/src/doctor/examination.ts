import { apiFailure } from '../failures/api-failure';
import { Failure } from '../terminal/failure';
import { type NextStep } from '../terminal/next-step';
import type { Table } from '../terminal/table';

/** The result of one check. */
export interface Finding {
  check: string;
  /**
   * `skipped`: a requirement of the check is missing, which another finding reports or which is no fault. `undecided`:
   * the check was made without a clear result.
   */
  result: 'ok' | 'failed' | 'skipped' | 'undecided';
  detail: string;
  /** Code of the failure, if it failed by one. */
  code?: string;
  /** The next step for the user. */
  next?: NextStep;
}

/** Thrown by a check without a clear result. */
export class Undecided extends Failure {
  constructor(message: string, facts: { next?: string | undefined }) {
    super('UNDECIDED', message, facts);
  }
}

/** Thrown by a check that cannot be made, which is no fault; its message is the reason. */
export class Skipped extends Error {}

/** A check: returns a description if all is well, throws a failure otherwise. `undefined` skips it. */
export interface Check {
  name: string;
  look(): Promise<string | undefined>;
}

/** Makes every check in turn, also after one has failed. */
export async function examine(checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(await examineOne(check));
  return findings;
}

async function examineOne({ name, look }: Check): Promise<Finding> {
  try {
    const detail = await look();
    return detail === undefined
      ? { check: name, result: 'skipped', detail: 'nothing to look at' }
      : { check: name, result: 'ok', detail };
  } catch (error) {
    if (error instanceof Skipped) return { check: name, result: 'skipped', detail: error.message };
    const failure = error instanceof Failure ? error : apiFailure(error);
    const detail = failure?.message ?? (error instanceof Error ? error.message : String(error));
    const next = failure?.next;
    if (error instanceof Undecided) return { check: name, result: 'undecided', detail, next };
    return { check: name, result: 'failed', detail, code: failure?.code, next };
  }
}

/** One line for each check. */
export function findingsTable(findings: readonly Finding[]): Table {
  return {
    columns: ['CHECK', { title: 'RESULT', as: 'status' }, 'DETAIL', { title: 'NEXT', as: 'below' }],
    rows: findings.map(({ check, result, detail, next }) => [check, result, detail, next]),
    whenEmpty: '',
  };
}
