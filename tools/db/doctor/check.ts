/** `error`: a promise of plat is broken or about to be. `warning`: it works, and an operator should look. */
export type Severity = 'error' | 'warning';

/** One thing that is wrong with a database. */
export interface Finding {
  severity: Severity;
  /** The check that found it. */
  check: string;
  /** The fault, with the names of the objects. */
  what: string;
  why: string;
  /** The statement or command that mends it. */
  mend: string;
}

/** A query that returns a row for each thing that is wrong. It reads the catalogue and statistics only. */
export interface Check {
  name: string;
  severity: Severity;
  why: string;
  /** Columns: `what`, `mend`, and `severity` if it differs from the check's own. */
  sql: string;
  args?: readonly unknown[];
}

/** The schemas of the product that have tables or functions of tenants. */
export const SCHEMAS = [
  'identity',
  'reviews',
  'builds',
  'releases',
  'audit',
  'environments',
  'ledger',
  'figures',
];
