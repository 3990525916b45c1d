import type { Invariant } from './invariant';

/** Seconds within which a row of the trail is sealed. */
const SEALED_WITHIN = 60;

/** The sealed logs, against the rows that they are about. */
export const LEDGER_INVARIANTS: Invariant[] = [
  {
    promise: 'the row or the landing of a sealed entry says what was sealed, hidden fields included',
    sql: 'SELECT tenant_id, leaf_index, fault FROM ledger.altered_entries()',
  },
  {
    promise: 'the entries, tiles, size and root of a sealed log fit together',
    sql: 'SELECT tenant_id, fault FROM ledger.altered_logs()',
  },
  {
    // The log's own time counts, because a deployment that is stopped or restored seals nothing. For how long the oldest row
    // waits by the clock is a figure and an alarm.
    promise:
      'a log is not sealed on for more than a minute past a row, a landing or an erasure that is not in it',
    sql: `
      SELECT late.tenant_id, late.kind, late.id
        FROM ledger.late_rows($1) AS late
        JOIN ledger.logs l USING (tenant_id)
       WHERE late.at < l.sealed_at - make_interval(secs => $1)`,
    args: [SEALED_WITHIN],
  },
  {
    // The trail's key has the time too, so that its constraint does not say this. A row whose id another has is not sealed.
    promise: 'no two rows of the trail of a tenant have one id',
    sql: `
      SELECT tenant_id, audit_event_id FROM audit.audit_events
       GROUP BY tenant_id, audit_event_id HAVING count(*) > 1`,
  },
];
