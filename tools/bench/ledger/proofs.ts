import type { Client } from 'pg';
import { Conversation } from '../size/exchange';
import { type Growth, Turns } from '../size/growth';

const TURNS = 300;
const WARM_UP_TURNS = 50;
const PROVEN = 500;

export interface Proving {
  tenantId: string;
  token: string;
  auditUrl: string;
  reviewsUrl: string;
  reviewId: string;
  signal: AbortSignal;
}

/** Reads a review by its key and proves an entry by its row's id, in turns. */
export async function measureProofs(owner: Client, proving: Proving): Promise<Growth> {
  const { token, auditUrl, reviewsUrl, reviewId, signal } = proving;
  const ids = await someEntries(owner, proving.tenantId);
  const [audit, reviews] = [new Conversation(auditUrl, token), new Conversation(reviewsUrl, token)];
  const turns = new Turns();
  try {
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      signal.throwIfAborted();
      const id = ids[(turn + WARM_UP_TURNS) % ids.length]!;
      const read = await reviews.send(`GET /v1/reviews/${reviewId}`, { expected: 200 });
      const proof = await audit.send(`GET /v1/audit-log/inclusion-proof?auditEventId=${id}`, {
        expected: 200,
      });
      if (turn < 0) continue;
      turns.add('an inclusion proof', 'small', read.milliseconds);
      turns.add('an inclusion proof', 'large', proof.milliseconds);
    }
    return turns.growths()[0]!;
  } finally {
    await Promise.all([audit.close(), reviews.close()]);
  }
}

/** Entries from all over a log. */
async function someEntries(owner: Client, tenantId: string): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT x.id FROM ledger.logs l
       JOIN generate_series(1, ${PROVEN}) AS n ON true
       JOIN ledger.entries x ON x.tenant_id = l.tenant_id AND x.leaf_index = l.size * n / ${PROVEN + 1} AND x.kind = 'audit'
      WHERE l.tenant_id = $1`,
    [tenantId],
  );
  return rows.map(({ id }) => id);
}
