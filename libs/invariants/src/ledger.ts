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
    // By the log's own time, because a deployment that is stopped or restored seals nothing. For how long the oldest row
    // waits by the clock is a figure and an alarm.
    promise: 'a log is not sealed on for more than a minute past a row of the trail that is not in it',
    sql: `
      SELECT late.tenant_id, late.audit_event_id
        FROM ledger.late_rows($1) AS late
        JOIN (SELECT tenant_id, audit_event_id, created_at FROM audit.audit_events) AS e USING (tenant_id, audit_event_id)
        JOIN ledger.logs l USING (tenant_id)
       WHERE e.created_at < l.sealed_at - make_interval(secs => $1)`,
    args: [SEALED_WITHIN],
  },
];
