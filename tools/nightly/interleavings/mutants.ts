/** A fault that is seeded into a database to check that it is noticed. */
export interface Mutant {
  name: string;
  /** Replacements in the source of a function. */
  edits?: readonly { fn: string; from: string | RegExp; to: string }[];
  /** Statements that are run as the owner. */
  sql?: string;
}

/** Creates the queue's row without locking it. */
const NO_LOCK = {
  from: /PERFORM reviews\.lock_queue\([^)]*\);/,
  to: 'INSERT INTO reviews.queues (tenant_id, target_branch) VALUES (tenant, target) ON CONFLICT DO NOTHING;',
} as const;

export const MUTANTS: readonly Mutant[] = [
  { name: 'no lock on advance', edits: [{ fn: 'reviews.advance', ...NO_LOCK }] },
  {
    name: 'no lock on ready, failed, requeue and close',
    edits: [{ fn: 'reviews.lock_review', ...NO_LOCK }],
  },
  {
    name: 'tickets from a sequence, taken before the lock',
    sql: 'CREATE SEQUENCE reviews.tickets; GRANT USAGE ON SEQUENCE reviews.tickets TO plat_reviews, plat_reviews_owner;',
    edits: [
      { fn: 'reviews.lock_review', ...NO_LOCK },
      {
        fn: 'reviews.log_move',
        from: 'queue reviews.queues;',
        to: `queue reviews.queues; place bigint := nextval('reviews.tickets');`,
      },
      {
        fn: 'reviews.log_move',
        from: /last_ticket = q\.last_ticket \+ CASE (WHEN[^)]*\)) THEN 1 ELSE 0 END/,
        to: 'last_ticket = CASE $1 THEN place ELSE q.last_ticket END',
      },
      { fn: 'reviews.log_move', from: 'q.last_ticket + 1', to: 'place' },
    ],
  },
  {
    name: 'tickets from a clock, read before the lock',
    edits: [
      { fn: 'reviews.lock_review', ...NO_LOCK },
      {
        fn: 'reviews.log_move',
        from: 'queue reviews.queues;',
        to: 'queue reviews.queues; place bigint := (extract(epoch FROM clock_timestamp()) * 1e6)::bigint;',
      },
      {
        fn: 'reviews.log_move',
        from: /last_ticket = q\.last_ticket \+ CASE (WHEN[^)]*\)) THEN 1 ELSE 0 END/,
        to: 'last_ticket = CASE $1 THEN place ELSE q.last_ticket END',
      },
      { fn: 'reviews.log_move', from: 'q.last_ticket + 1', to: 'place' },
    ],
  },
  {
    name: 'a requeue keeps its place at the head',
    edits: [
      {
        fn: 'reviews.make_ready',
        from: 'ticket = place,',
        to: 'ticket = CASE WHEN build IS NULL THEN -place ELSE place END,',
      },
    ],
  },
  {
    name: 'the last of the line is promoted',
    edits: [{ fn: 'reviews.head_of', from: /ORDER BY r\.ticket LIMIT/g, to: 'ORDER BY r.ticket DESC LIMIT' }],
  },
  {
    name: 'the slot is not looked at, and no index guards it',
    sql: 'DROP INDEX reviews.reviews_one_merge',
    edits: [{ fn: 'reviews.occupant', from: "r.status = 'MERGE'", to: "r.status = 'MERGE' AND false" }],
  },
  {
    // The race window is short, so the mutant extends it for a short run to hit it.
    name: 'threads are counted before the head is locked',
    edits: [
      { fn: 'reviews.advance', from: /PERFORM FROM reviews\.reviews[^;]*FOR NO KEY UPDATE;/, to: '' },
      {
        fn: 'reviews.advance',
        from: 'RETURN NEXT reviews.promote',
        to: 'PERFORM pg_sleep(0.05); RETURN NEXT reviews.promote',
      },
    ],
  },
  {
    name: 'a green build continues to MERGE over an open thread',
    edits: [{ fn: 'reviews.may_continue', from: 'AND reviews.open_threads(subject) = 0', to: '' }],
  },
  {
    name: 'a stale anchor is accepted',
    edits: [
      {
        fn: 'reviews.accept_queue_merge',
        from: /OR reviews\.anchor\([^)]*\) IS DISTINCT FROM proof ->> 'anchorCommitId'/,
        to: '',
      },
    ],
  },
  {
    name: 'a merge is applied to what it was not judged on',
    edits: [{ fn: 'reviews.accept_queue_merge', from: "subject.status IS DISTINCT FROM 'MERGE' OR", to: '' }],
  },
  {
    name: 'the release is queued outside of the transaction, and lost',
    edits: [
      { fn: 'reviews.accept_queue_merge', from: /PERFORM releases\.enqueue\([^;]*\);/, to: 'PERFORM 1;' },
    ],
  },
  {
    name: 'a merge leaves no record of why it was believed',
    edits: [
      { fn: 'reviews.accept_queue_merge', from: /PERFORM reviews\.record_verification\([^;]*\);/, to: '' },
    ],
  },
  {
    name: 'a move is not logged',
    edits: [
      {
        fn: 'reviews.log_move',
        from: 'RETURNING q.* INTO STRICT queue;',
        to: `RETURNING q.* INTO STRICT queue;
             IF move = 'close' THEN
               DELETE FROM reviews.queue_moves m WHERE m.review_id = subject.review_id AND m.version = queue.version;
             END IF;`,
      },
    ],
  },
  {
    name: 'an override is logged as a promotion',
    edits: [
      {
        fn: 'reviews.promote',
        from: "CASE WHEN override THEN 'PROMOTED_BY_OVERRIDE' END, reason",
        to: 'NULL',
      },
    ],
  },
  {
    name: 'the reason of an override is lost',
    sql: 'ALTER TABLE reviews.queue_moves DROP CONSTRAINT queue_moves_cause',
    edits: [{ fn: 'reviews.promote', from: 'END, reason);', to: 'END);' }],
  },
  {
    name: "the gate's failure is logged as another build's",
    edits: [{ fn: 'reviews.fail', from: "kind = 'GATE'", to: 'false' }],
  },
  {
    name: 'a move is logged with another build',
    sql: 'ALTER TABLE reviews.queue_moves DROP CONSTRAINT queue_moves_tenant_id_review_id_build_id_fkey',
    edits: [
      {
        fn: 'reviews.log_move',
        from: 'tenancy.user_id(), build,',
        to: 'tenancy.user_id(), CASE WHEN build IS NOT NULL THEN gen_random_uuid() END,',
      },
    ],
  },
  {
    name: 'a move is logged for no one',
    sql: 'ALTER TABLE reviews.queue_moves ALTER actor_user_id DROP NOT NULL',
    edits: [{ fn: 'reviews.log_move', from: 'tenancy.user_id()', to: 'NULL' }],
  },
  {
    name: 'a move is numbered like the one before it',
    edits: [{ fn: 'reviews.number_move', from: '1 +', to: '' }],
  },
  {
    name: 'the status shows the line of another repository',
    edits: [
      {
        fn: 'reviews.waiting_after',
        from: 'r.repository = parts[1] AND',
        to: 'r.repository IS NOT NULL AND',
      },
    ],
  },
  {
    name: 'the tenant is set for the session',
    edits: [{ fn: 'tenancy.enter_as', from: /, true\)/g, to: ', false)' }],
  },
  {
    name: 'some audit rows are left out',
    edits: [{ fn: 'audit.record_requests', from: /\) c\s*$/, to: ') c WHERE random() < 0.98' }],
  },
  {
    name: 'audit rows are written twice',
    edits: [
      {
        fn: 'audit.record_requests',
        from: /SELECT c\.tenant_id, r\."auditEventId"/,
        to: 'SELECT c.tenant_id, gen_random_uuid()',
      },
      {
        fn: 'audit.record_requests',
        from: /FROM jsonb_to_recordset/,
        to: 'FROM generate_series(1, 1 + (random() < 0.02)::int), jsonb_to_recordset',
      },
    ],
  },
  {
    name: 'names and pairs of branches are not unique',
    sql: 'DROP INDEX reviews.reviews_live_pair; DROP INDEX reviews.reviews_live_name',
  },
  {
    name: 'the newest release is claimed first',
    edits: [
      { fn: 'releases.claim', from: 'ORDER BY q.queue_sequence', to: 'ORDER BY q.queue_sequence DESC' },
    ],
  },
  {
    name: 'the work is done although its key is not kept',
    edits: [
      { fn: 'identity.keep_answer', from: /VALUES \(([^;]*)\);/, to: 'SELECT $1 WHERE random() < 0.9;' },
    ],
  },
  {
    name: 'a key is looked for before it is taken, and nothing makes it unique',
    sql: 'ALTER TABLE identity.idempotency_keys DROP CONSTRAINT idempotency_keys_pkey',
    edits: [
      {
        fn: 'identity.claim_key',
        from: 'NOT pg_try_advisory_xact_lock',
        to: 'false AND pg_try_advisory_xact_lock',
      },
    ],
  },
];
