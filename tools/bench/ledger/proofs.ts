import type { Client } from 'pg';
import { median } from '../median';
import { Conversation } from './conversation';

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

/** Medians of the durations. */
export interface Proofs {
  readMs: number;
  proofMs: number;
}

/** Reads a review by its key and proves an entry by its row's id, in turns. */
export async function measureProofs(owner: Client, proving: Proving): Promise<Proofs> {
  const { token, auditUrl, reviewsUrl, reviewId, signal } = proving;
  const ids = await someEntries(owner, proving.tenantId);
  const [audit, reviews] = [new Conversation(auditUrl, token), new Conversation(reviewsUrl, token)];
  const reads: number[] = [];
  const proofs: number[] = [];
  try {
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      signal.throwIfAborted();
      const id = ids[(turn + WARM_UP_TURNS) % ids.length]!;
      const readMs = await reviews.get(`/v1/reviews/${reviewId}`);
      const proofMs = await audit.get(`/v1/audit-log/inclusion-proof?auditEventId=${id}`);
      if (turn < 0) continue;
      reads.push(readMs);
      proofs.push(proofMs);
    }
    return { readMs: median(reads), proofMs: median(proofs) };
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
