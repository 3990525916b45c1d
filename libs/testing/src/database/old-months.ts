import { randomUUID } from 'node:crypto';
import { TEST_TENANTS, TEST_USERS } from '../directory/test-directory';
import type { TestDatabase } from './test-database';

/** The first moment of the month that is this many months before the present one, in UTC. */
export function monthsAgo(months: number, now = new Date()): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}

/** The end of a monthly partition's name: `2026_03`. */
export const monthName = (month: Date): string => month.toISOString().slice(0, 7).replace('-', '_');

/** Gives the trail the monthly partitions of a database that has run for this many months. */
export async function makeOldMonths({ query }: Pick<TestDatabase, 'query'>, months: number): Promise<void> {
  await query('DROP TABLE audit.audit_events_early');
  await query(`CALL tenancy.make_partitions('audit.audit_events', $1, $2)`, [monthsAgo(months), months]);
  await query('SELECT audit.make_early_partition()');
}

/** Writes rows of the trail from this many months ago, a second apart, with arguments that no encoding leaves alone. */
export async function writeOldTrail(
  { query }: Pick<TestDatabase, 'query'>,
  tenant: 'acme' | 'globex',
  { months, rows }: { months: number; rows: number },
): Promise<void> {
  await query(
    `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
       external_issuer_id, type, api_method, api_path, api_parameters, created_at)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), $2, 's', 'i', 'API', 'GET', '/v1/reviews',
            jsonb_build_object('name', E'a "quoted"\\nline \\u2028 of ü€😀', 'number', 12345678901234567890.5, 'n', n),
            $3::timestamptz + make_interval(secs => n)
       FROM generate_series(1, $4) AS n`,
    [
      TEST_TENANTS[tenant].tenantId,
      TEST_USERS[tenant === 'acme' ? 'alice' : 'mallory'].userId,
      monthsAgo(months),
      rows,
    ],
  );
}

/** A UUIDv7 of a moment. */
export function idAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}
