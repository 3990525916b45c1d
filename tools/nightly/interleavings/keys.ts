import { createHash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ApiError } from '@plat/contracts/core';
import type { Database, SqlCall } from '@plat/database';
import type { World } from './world';

/** How many creating requests are sent twice at once. */
const REPEATED = 0.3;

/**
 * Sends a creating request under a key, sometimes twice at once as a client does whose first answer is late. Both answers
 * must be the same.
 *
 * @param call each attempt has ids of its own, as in the service
 */
export async function createOnce<Row>(
  { scope, random, faults }: World,
  database: Database,
  call: () => SqlCall,
): Promise<Row[]> {
  const text = randomUUID();
  const digest = createHash('sha256').update(text).digest();
  const attempts = Array.from({ length: random.chance(REPEATED) ? 2 : 1 }, () =>
    database.create<Row>({ ...scope, key: { text, digest } }, call()),
  );
  const settled = await Promise.allSettled(attempts);
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const errors = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
  if (new Set(answers.map((rows) => JSON.stringify(rows))).size > 1) {
    faults.push('two requests with one key were answered differently');
  }
  const [answer] = answers;
  if (answer) return answer;
  throw errors.find((error) => !isInUse(error)) ?? errors[0]!;
}

const isInUse = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE';

/**
 * Each review and build of a run whose creating requests all have keys belongs to exactly one key, and each key has done
 * something.
 */
export async function judgeKeys(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; done: string; keys: string }>(`
      WITH work AS (SELECT review_id AS id FROM reviews.reviews UNION ALL SELECT build_id FROM builds.builds),
           kept AS (SELECT coalesce(answer::jsonb -> 0 ->> 'build_id', answer::jsonb -> 0 ->> 'review_id')::uuid AS id
                      FROM identity.idempotency_keys)
      SELECT id, count(*) FILTER (WHERE source = 'work') AS done, count(*) FILTER (WHERE source = 'kept') AS keys
        FROM (SELECT id, 'work' AS source FROM work UNION ALL SELECT id, 'kept' FROM kept) AS together
       GROUP BY id HAVING count(*) FILTER (WHERE source = 'work') <> 1 OR count(*) FILTER (WHERE source = 'kept') <> 1`);
    return rows.map(({ id, done, keys }) => `${id} was created ${done} times, by ${keys} keys`);
  } finally {
    await client.end();
  }
}
