import type { EntityManager } from 'typeorm';
import type { RequestKey } from './scope';

/**
 * Does the work of a request, unless it was done under its key before: its result is then the stored one. The key's row
 * commits with the work.
 *
 * @param work its result must be JSON; an empty list if nothing was created
 */
export async function doOnce<T>(
  tx: EntityManager,
  { tenantId, key }: { tenantId: string; key: RequestKey },
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  const request = [tenantId, key.text, key.digest];
  const [claimed] = await tx.query<{ answer: string | null }[]>(
    'SELECT identity.claim_key($1, $2, $3) AS answer',
    request,
  );
  const { answer } = claimed!;
  if (answer !== null) {
    key.isRepeat = true;
    return JSON.parse(answer) as T;
  }
  const result = await work(tx);
  // Nothing was created, so that the request is going to be refused, and leaves its key free.
  if (Array.isArray(result) && result.length === 0) return result;
  await tx.query('SELECT identity.keep_answer($1, $2, $3, $4)', [...request, JSON.stringify(result)]);
  return result;
}
