import { Client } from 'pg';
import type { Mutant } from './mutants';

/** Seeds a fault into a database. @throws Error if the source no longer has the replaced text */
export async function seedMutant(ownerUrl: string, { name, edits = [], sql }: Mutant): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    // The fault must be found by its traces, so the checks that would refuse it at once are removed.
    await owner.query(JUDGES_GONE);
    if (sql !== undefined) await owner.query(sql);
    for (const { fn, from, to } of edits) {
      const { rows } = await owner.query<{ source: string }>(
        'SELECT pg_get_functiondef($1::regproc) AS source',
        [fn],
      );
      const { source } = rows[0]!;
      const edited = replaceInBody(source, from, to);
      if (edited === source) throw new Error(`${name}: ${fn} no longer has what the mutant replaces`);
      await owner.query(edited);
    }
  } finally {
    await owner.end();
  }
}

const JUDGES_GONE = `
  DROP TRIGGER judge_move ON reviews.reviews;
  DROP TRIGGER judge ON reviews.queues;
  DROP TRIGGER judge ON reviews.verifications;
  DROP TRIGGER refuse_change ON reviews.queue_moves;`;

const BODY = /AS \$function\$([^]*)\$function\$/;

/** Replaces in the body of a function only, and leaves its head as it is. */
function replaceInBody(source: string, from: string | RegExp, to: string): string {
  const body = BODY.exec(source)?.[1] ?? '';
  return source.replace(body, () => body.replace(from, to));
}
