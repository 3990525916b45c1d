import type { Client } from 'pg';

/** Rows of a transaction. A service writes fewer, and many transactions at once. */
const BATCH = 1000;
/** How many days the trail goes back. */
export const TRAIL_DAYS = 90;

/** Whose trail it is. */
export interface TrailOwner {
  tenantId: string;
  userId: string;
}

/** A part of a trail: its rows by their places in the whole. */
export interface Stretch {
  from: number;
  until: number;
  /** Rows of the whole trail, which is evenly over the last months. */
  of: number;
}

const INSERT = `
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
    external_org_id, type, api_method, api_path, api_parameters, created_at)
  SELECT $1, gen_random_uuid(), gen_random_uuid()::text, $2, 'auth0|' || n % 100, 'https://issuer.example', 'org', 'API',
         'POST', '/v1/reviews/{review_id}/builds', jsonb_build_object('reviewId', gen_random_uuid()),
         now() - make_interval(days => ${TRAIL_DAYS}) + n * (make_interval(days => ${TRAIL_DAYS}) / $5::int)
    FROM generate_series($3::int, $4::int - 1) AS n`;

/** Writes rows of the trail in many transactions, as services do. */
export async function writeTrail(
  owner: Client,
  { tenantId, userId }: TrailOwner,
  { from, until, of }: Stretch,
): Promise<void> {
  for (let at = from; at < until; at += BATCH) {
    await owner.query({
      name: 'write-trail',
      text: INSERT,
      values: [tenantId, userId, at, Math.min(at + BATCH, until), of],
    });
  }
}
