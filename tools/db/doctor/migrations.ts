import { compareSchema, type SchemaSource } from '@plat/database';
import type { Finding } from './check';

type Found = Omit<Finding, 'check'>;

const UNFIT = 'A service refuses to start on a schema that does not fit it.';
const MIGRATE = 'npm run db -- migrate';

/** Finds how the database differs from the schema of this release. */
export async function findMigrationFaults(url: string, schema: SchemaSource): Promise<Finding[]> {
  const { pending, edited, unknown, functions, altered, behind } = await compareSchema(url, schema);
  const errors = (names: string[], what: (name: string) => string, mend: string): Found[] =>
    names.map((name) => ({ severity: 'error', what: what(name), why: UNFIT, mend }));
  const found: Found[] = [
    ...errors(pending, (name) => `${name} is not applied`, MIGRATE),
    ...errors(
      edited,
      (name) => `the file of ${name} was edited after it was applied`,
      'put the file back as it was',
    ),
    ...findFunctionFaults(functions, altered),
    ...(behind === undefined || pending.length > 0 ? [] : [unfinished(behind)]),
    ...unknown.map((name): Found => ({
      severity: 'warning',
      what: `this release does not know ${name}`,
      why: UNFIT,
      mend: 'examine with the newest release',
    })),
  ];
  return found.map((each) => ({ check: 'migrations', ...each }));
}

function findFunctionFaults(functions: string[], altered: string[]): Found[] {
  const found: Found[] = [];
  if (functions.length > 0) {
    const what = `${functions.length} functions are not those of this release`;
    found.push({ severity: 'error', what, why: UNFIT, mend: MIGRATE });
  }
  if (altered.length > 0) {
    const what = `functions were changed, dropped or granted by other means than migrate: ${altered.join(', ')}`;
    found.push({
      severity: 'error',
      what,
      why: 'They answer or permit what this release does not say.',
      mend: MIGRATE,
    });
  }
  return found;
}

const unfinished = (version: string): Found => ({
  severity: 'error',
  what: `the last migrate did not end: the schema is at ${version || 'no version'}`,
  why: UNFIT,
  mend: MIGRATE,
});
