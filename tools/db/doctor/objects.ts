import { compareObjects, type ObjectDifference } from '@plat/database';
import type { Finding } from './check';

const CHECK = 'objects';
const MIGRATE = 'npm run db -- migrate';
const WHY = 'Isolation and correctness rest on it, and migrate did not change it.';
const FROM_BACKUP = 'restore the database from a backup: no statement brings its rows back';

const CHANGES: Readonly<Record<ObjectDifference['change'], (name: string) => string>> = {
  missing: (name) => `${name} is missing`,
  altered: (name) => `${name} was altered by other means than migrate`,
  additional: (name) => `${name} was made by other means than migrate`,
};

/** Finds policies, triggers, tables, constraints, owners and grants that differ from what migrate noted of them. */
export async function findObjectFaults(url: string): Promise<Finding[]> {
  const { notes, uncompared, differences } = await compareObjects(url);
  if (notes !== 'present') return [warn(UNNOTED[notes])];
  const found = differences.map(({ name, change, mend = FROM_BACKUP }): Finding => ({
    ...{ severity: 'error', check: CHECK, what: CHANGES[change](name), why: WHY, mend },
  }));
  if (uncompared === 0) return found;
  const what = `the text of ${uncompared} policies, triggers, constraints and indexes was noted on another major version of PostgreSQL`;
  return [...found, warn(what)];
}

const UNNOTED = {
  absent: 'no migrate has noted the policies, triggers, constraints, owners and grants yet',
  unended:
    'policies, triggers, constraints, owners and grants are not compared: a migrate runs, or was killed',
};

const warn = (what: string): Finding => ({
  severity: 'warning',
  check: CHECK,
  what,
  why: 'Without a note of this server, a change by hand is not found.',
  mend: MIGRATE,
});
