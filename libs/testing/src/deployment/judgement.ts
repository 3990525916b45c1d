import { Client } from 'pg';
import { examineDatabase } from '@plat/invariants';
import type { Traffic } from './traffic';

/** The broken promises after some traffic, by ids or in words. */
export interface Judgement {
  /** Broken invariants. */
  broken: string[];
  /** Acknowledged reviews and builds that are not there. */
  lost: string[];
  /** Answered requests without an audit row. */
  unaudited: string[];
  /** Requests with more than one. */
  auditedTwice: number;
}

/** Compares what callers were answered with what the database has. The traffic has ended. */
export async function judgeTraffic(ownerUrl: string, traffic: Traffic): Promise<Judgement> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  const ids = async (sql: string) => (await owner.query<{ id: string }>(sql)).rows.map(({ id }) => id);
  try {
    const audited = await ids('SELECT caller_request_id AS id FROM audit.audit_events');
    const rows = new Set([
      ...(await ids('SELECT review_id AS id FROM reviews.reviews')),
      ...(await ids('SELECT build_id AS id FROM builds.builds')),
    ]);
    const once = new Set(audited);
    return {
      broken: (await examineDatabase(ownerUrl)).map(({ promise }) => promise),
      lost: traffic.acknowledged.map(({ id }) => id).filter((id) => !rows.has(id)),
      unaudited: traffic.answered.map(({ id }) => id).filter((id) => !once.has(id)),
      auditedTwice: audited.length - once.size,
    };
  } finally {
    await owner.end();
  }
}

/** The judgement on traffic of which nothing was lost. */
export const NOTHING_AMISS: Judgement = { broken: [], lost: [], unaudited: [], auditedTwice: 0 };
