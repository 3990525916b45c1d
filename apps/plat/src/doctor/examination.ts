import { apiFailure } from '../session/api-failure';
import { Failure } from '../terminal/failure';
import type { Table } from '../terminal/table';

/** What one check found. */
export interface Finding {
  check: string;
  /**
   * `skipped`: what it needs is not there, which another finding tells, or which is no fault. `undecided`: it was
   * looked at, and nothing can be said either way.
   */
  result: 'ok' | 'failed' | 'skipped' | 'undecided';
  detail: string;
  /** What to do about it. */
  next?: string;
}

/** Thrown by a check that can say neither that all is well nor that it is not. */
export class Undecided extends Failure {
  constructor(message: string, facts: { next: string }) {
    super('UNDECIDED', message, facts);
  }
}

/** A check: returns what is well, or throws what is not. `undefined` skips it. */
export interface Check {
  name: string;
  look(): Promise<string | undefined>;
}

/** Makes every check in turn; one that fails keeps no other from being made. */
export async function examine(checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(await finding(check));
  return findings;
}

async function finding({ name, look }: Check): Promise<Finding> {
  try {
    const detail = await look();
    return detail === undefined
      ? { check: name, result: 'skipped', detail: 'nothing to look at' }
      : { check: name, result: 'ok', detail };
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    const detail = failure?.message ?? (error instanceof Error ? error.message : String(error));
    const result = error instanceof Undecided ? 'undecided' : 'failed';
    return { check: name, result, detail, ...(failure?.next && { next: failure.next }) };
  }
}

/** One line a check. */
export function findingsTable(findings: readonly Finding[]): Table {
  return {
    columns: ['CHECK', { title: 'RESULT', as: 'status' }, 'DETAIL', { title: 'NEXT', as: 'below' }],
    rows: findings.map(({ check, result, detail, next }) => [check, result, detail, next]),
    whenEmpty: '',
  };
}
