import { apiFailure } from '../session/api-failure';
import { Failure } from '../terminal/failure';
import type { Table } from '../terminal/table';

/** What one check found. */
export interface Finding {
  check: string;
  /** `skipped`: what it needs is not there, which another finding tells, or which is no fault. */
  result: 'ok' | 'failed' | 'skipped';
  detail: string;
  /** What to do about it. */
  next?: string;
}

/** A check: answers what is well, or throws what is not. `undefined` skips it. */
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
    return { check: name, result: 'failed', detail, ...(failure?.next && { next: failure.next }) };
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
