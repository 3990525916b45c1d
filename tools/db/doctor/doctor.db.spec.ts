import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate, SOURCE_SCHEMA } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import type { Finding } from './check';
import { CHECKS, examine } from './doctor';
import { renderReport } from './report';

/** A fault: the check that finds it, the statements that make and undo it, and what is reported. */
type Fault = [check: string, make: string, undo: string, what: RegExp, mend: RegExp];

const RIGHTS: Fault[] = [
  [
    'logins',
    'ALTER ROLE plat_builds BYPASSRLS',
    'ALTER ROLE plat_builds NOBYPASSRLS',
    /plat_builds is free of row-level/,
    /NOBYPASSRLS/,
  ],
  [
    'logins',
    'ALTER ROLE plat_audit NOLOGIN',
    'ALTER ROLE plat_audit LOGIN',
    /plat_audit is no login/,
    /LOGIN/,
  ],
  [
    'logins',
    `ALTER ROLE plat_reviews VALID UNTIL '2026-01-01'`,
    `ALTER ROLE plat_reviews VALID UNTIL 'infinity'`,
    /^plat_reviews is expired$/,
    /^ALTER ROLE plat_reviews VALID UNTIL 'infinity'$/,
  ],
  [
    'logins',
    'ALTER ROLE plat_releases CONNECTION LIMIT 0',
    'ALTER ROLE plat_releases CONNECTION LIMIT -1',
    /^plat_releases is allowed no connection$/,
    /^ALTER ROLE plat_releases CONNECTION LIMIT -1$/,
  ],
  [
    'owners',
    'ALTER ROLE plat_audit_owner LOGIN',
    'ALTER ROLE plat_audit_owner NOLOGIN',
    /plat_audit_owner can log in/,
    /NOLOGIN/,
  ],
  [
    'owners',
    'GRANT plat_reviews_owner TO plat_reviews',
    'REVOKE plat_reviews_owner FROM plat_reviews',
    /plat_reviews is a member/,
    /REVOKE/,
  ],
  [
    'owners',
    'GRANT plat_ledger_sealer TO watcher',
    'REVOKE plat_ledger_sealer FROM watcher',
    /^watcher is a member of plat_ledger_sealer$/,
    /^REVOKE plat_ledger_sealer FROM watcher GRANTED BY /,
  ],
  [
    'owners',
    'CREATE ROLE helper; GRANT plat_inspector TO helper; GRANT helper TO plat_builds',
    'DROP ROLE helper',
    /^plat_builds is a member of helper$/,
    /^REVOKE helper FROM plat_builds GRANTED BY /,
  ],
  [
    'owners',
    'GRANT plat_reviews TO plat_builds',
    'REVOKE plat_reviews FROM plat_builds',
    /^plat_builds is a member of plat_reviews$/,
    /^REVOKE plat_reviews FROM plat_builds GRANTED BY /,
  ],
  [
    'owners',
    'GRANT pg_execute_server_program TO plat_audit',
    'REVOKE pg_execute_server_program FROM plat_audit',
    /^plat_audit is a member of pg_execute_server_program$/,
    /^REVOKE pg_execute_server_program FROM plat_audit GRANTED BY /,
  ],
  [
    'owners',
    'ALTER ROLE plat_ledger_sealer BYPASSRLS',
    'ALTER ROLE plat_ledger_sealer NOBYPASSRLS',
    /plat_ledger_sealer is free of row-level/,
    /NOBYPASSRLS/,
  ],
  [
    'row-level-security',
    'ALTER TABLE ledger.logs DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE ledger.logs ENABLE ROW LEVEL SECURITY',
    /ledger\.logs has no row-level security/,
    /ENABLE ROW/,
  ],
  [
    'table-grants',
    'GRANT SELECT ON ledger.entries TO plat_reviews',
    'REVOKE SELECT ON ledger.entries FROM plat_reviews',
    /plat_reviews may SELECT ledger\.entries/,
    /^REVOKE SELECT/,
  ],
  [
    'database-owner',
    'CREATE ROLE spec_other; ALTER SCHEMA migrations OWNER TO spec_other',
    'ALTER SCHEMA migrations OWNER TO CURRENT_USER; DROP ROLE spec_other',
    /the database \w+ belongs to \w+, and its schema to spec_other/,
    /ALTER DATABASE \w+ OWNER TO spec_other/,
  ],
  [
    'database-owner',
    'CREATE ROLE spec_other; ALTER SCHEMA migrations OWNER TO spec_other; ALTER SCHEMA identity OWNER TO spec_other',
    `ALTER SCHEMA identity OWNER TO plat_identity_owner; ALTER SCHEMA migrations OWNER TO CURRENT_USER;
     DROP ROLE spec_other`,
    /the database \w+ belongs to \w+, and its schema to spec_other/,
    /^restore the dump again without --no-owner/,
  ],
  [
    'database-owner',
    `CREATE ROLE spec_other; DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO spec_other', current_database()); END $$;
     DO $$ DECLARE r name; BEGIN
       ALTER SCHEMA migrations OWNER TO spec_other;
       FOR r IN SELECT rolname FROM pg_roles WHERE rolname ~ '^plat_[a-z_]+_(owner|sealer)$|^plat_[a-z]+_owner$' LOOP
         EXECUTE format('GRANT %I TO spec_other', r);
       END LOOP; END $$`,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), current_user); END $$;
     ALTER SCHEMA migrations OWNER TO CURRENT_USER; DROP ROLE spec_other`,
    /spec_other, who owns the database, is no member of plat_inspector/,
    /GRANT plat_inspector TO spec_other/,
  ],
  [
    'table-grants',
    'GRANT SELECT ON builds.builds TO plat_audit',
    'REVOKE SELECT ON builds.builds FROM plat_audit',
    /plat_audit may SELECT builds\.builds/,
    /^REVOKE SELECT ON builds\.builds FROM plat_audit CASCADE$/,
  ],
  [
    'table-grants',
    'GRANT INSERT ON reviews.queues TO PUBLIC',
    'REVOKE INSERT ON reviews.queues FROM PUBLIC',
    /PUBLIC may INSERT reviews\.queues/,
    /REVOKE INSERT/,
  ],
  [
    'public-functions',
    'GRANT EXECUTE ON FUNCTION audit.make_partitions() TO PUBLIC',
    'REVOKE EXECUTE ON FUNCTION audit.make_partitions() FROM PUBLIC',
    /PUBLIC may call audit\.make_partitions/,
    /REVOKE EXECUTE/,
  ],
  [
    'making-objects',
    'GRANT CREATE ON SCHEMA public TO PUBLIC',
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    /PUBLIC may make objects in the schema public/,
    /REVOKE CREATE/,
  ],
  [
    'published-functions',
    'REVOKE EXECUTE ON FUNCTION identity.known_issuers() FROM plat_reviews',
    'GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_reviews',
    /plat_reviews may not call identity\.known_issuers/,
    /GRANT EXECUTE/,
  ],
  [
    'row-level-security',
    'ALTER TABLE reviews.comments DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE reviews.comments ENABLE ROW LEVEL SECURITY',
    /reviews\.comments has no row-level security/,
    /ENABLE ROW/,
  ],
  [
    'row-level-security',
    'ALTER TABLE reviews.comments NO FORCE ROW LEVEL SECURITY',
    'ALTER TABLE reviews.comments FORCE ROW LEVEL SECURITY',
    /reviews\.comments does not hold its owner/,
    /FORCE ROW/,
  ],
  [
    'row-level-security',
    'ALTER POLICY tenant ON reviews.comments RENAME TO other',
    'ALTER POLICY other ON reviews.comments RENAME TO tenant',
    /reviews\.comments has no policy named tenant/,
    /CREATE POLICY tenant ON reviews\.comments/,
  ],
  [
    'triggers',
    'ALTER TABLE reviews.reviews DISABLE TRIGGER judge_move',
    'ALTER TABLE reviews.reviews ENABLE TRIGGER judge_move',
    /judge_move of reviews\.reviews is off/,
    /ENABLE TRIGGER/,
  ],
];
const STATE: Fault[] = [
  [
    'migrations',
    `DELETE FROM migrations.applied WHERE name = '0008_ledger'`,
    `INSERT INTO migrations.applied (name, run_on) VALUES ('0008_ledger', now())`,
    /0008_ledger is not applied/,
    /migrate/,
  ],
  [
    'migrations',
    `INSERT INTO migrations.applied (name, run_on) VALUES ('9999_newer', now())`,
    `DELETE FROM migrations.applied WHERE name = '9999_newer'`,
    /does not know 9999_newer/,
    /newest release/,
  ],
  [
    'migrations',
    `UPDATE migrations.functions SET sha256 = 'x' || sha256 WHERE name = 'reviews/advance'`,
    `UPDATE migrations.functions SET sha256 = substr(sha256, 2) WHERE name = 'reviews/advance'`,
    /1 functions are not those of this release/,
    /migrate/,
  ],
  [
    'migrations',
    'GRANT EXECUTE ON FUNCTION reviews.advance TO watcher',
    'REVOKE EXECUTE ON FUNCTION reviews.advance FROM watcher',
    /functions were changed, dropped or granted by other means than migrate: reviews\/advance/,
    /migrate/,
  ],
  [
    'migrations',
    `UPDATE identity.schema_state SET version = '0' || version`,
    `UPDATE identity.schema_state SET version = substr(version, 2)`,
    /the last migrate did not end: the schema is at 00008_ledger/,
    /migrate/,
  ],
  [
    'partition-gaps',
    `DROP TABLE audit.audit_events_${monthAhead(3)}`,
    'SELECT audit.make_partitions()',
    /audit\.audit_events has no partition for/,
    /^CALL tenancy\.make_partitions/,
  ],
  [
    'interrupted-prune',
    'ALTER TABLE audit.audit_events DETACH PARTITION audit.audit_events_early',
    'DROP TABLE audit.audit_events_early; SELECT audit.make_early_partition()',
    /audit\.audit_events_early is detached/,
    /npm run db -- prune/,
  ],
  [
    'early-partitions',
    'DROP TABLE audit.audit_events_early',
    'SELECT audit.make_early_partition()',
    /no partition for the time before its first month/,
    /make_early_partition/,
  ],
  [
    'replication-slots',
    `SELECT pg_create_physical_replication_slot('left_over')`,
    `SELECT pg_drop_replication_slot('left_over')`,
    /slot left_over/,
    /pg_drop_replication_slot/,
  ],
  [
    'session-settings',
    'ALTER DATABASE plat SET synchronous_commit = off',
    'ALTER DATABASE plat RESET synchronous_commit',
    /^DATABASE plat has synchronous_commit=off$/,
    /^ALTER DATABASE plat RESET synchronous_commit$/,
  ],
  [
    'session-settings',
    'ALTER ROLE ALL SET session_replication_role = replica',
    'ALTER ROLE ALL RESET session_replication_role',
    /^ROLE ALL has session_replication_role=replica$/,
    /^ALTER ROLE ALL RESET session_replication_role$/,
  ],
  [
    'session-settings',
    'ALTER ROLE plat_audit IN DATABASE plat SET session_replication_role = replica',
    'ALTER ROLE plat_audit IN DATABASE plat RESET session_replication_role',
    /^ROLE plat_audit IN DATABASE plat has session_replication_role=replica$/,
    /^ALTER ROLE plat_audit IN DATABASE plat RESET session_replication_role$/,
  ],
];

/** The month some months from now, as a partition's name has it. */
function monthAhead(months: number): string {
  const now = new Date();
  const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return then.toISOString().slice(0, 7).replace('-', '_');
}

describe('db doctor', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let owner: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-doctor-'));
    // Durable, since settings that lose writes are a finding; of its own, since roles belong to a cluster.
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: true });
    const first = new Client({ connectionString: cluster.url() });
    await first.connect();
    await first.query('CREATE DATABASE plat');
    await first.query(`CREATE ROLE watcher LOGIN PASSWORD 'test'`);
    await first.end();
    await migrate(cluster.url('plat'), SOURCE_SCHEMA);
    owner = new Client({ connectionString: cluster.url('plat') });
    await owner.connect();
  }, 120_000);
  afterAll(async () => {
    await owner.end();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const look = (url = cluster.url('plat')) => examine(url, SOURCE_SCHEMA);

  it('finds nothing in a database as npm run db -- migrate makes it', async () => {
    expect(await look()).toEqual([]);
    expect(renderReport([])).toBe('The database has no fault that a check knows.');
  });

  it.each([...RIGHTS, ...STATE])('%s: finds what comes of: %s', async (check, make, undo, what, mend) => {
    await owner.query(make);
    try {
      const found = await look();
      expect(found).toContainEqual(
        expect.objectContaining({
          check,
          what: expect.stringMatching(what),
          mend: expect.stringMatching(mend),
        }),
      );
    } finally {
      await owner.query(undo);
    }
  });

  it('finds nothing once each of these faults is undone', async () => expect(await look()).toEqual([]));

  it('reports once what a check of its own and the notes of migrate find', async () => {
    await owner.query('ALTER TABLE reviews.reviews DISABLE TRIGGER judge_move');
    expect((await look()).map(({ check }) => check)).toEqual(['triggers']);
    await owner.query('ALTER TABLE reviews.reviews ENABLE TRIGGER judge_move');
    await owner.query('ALTER POLICY tenant ON ledger.logs USING (true)');
    expect((await look()).map(({ check }) => check)).toEqual(['objects']);
    await owner.query('ALTER POLICY tenant ON ledger.logs USING (tenant_id = (SELECT tenancy.tenant_id()))');
  });

  it('durability: finds what the server itself has', async () => {
    const reload = async (expected: string) => {
      await owner.query('SELECT pg_reload_conf()');
      // The server reports its sessions once it has read the file itself.
      const shown = () => owner.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
      while ((await shown()).rows[0]!.synchronous_commit !== expected);
    };
    await owner.query('ALTER SYSTEM SET synchronous_commit = off');
    await reload('off');
    const found = await look();
    await owner.query('ALTER SYSTEM RESET synchronous_commit');
    await reload('on');
    expect(found).toEqual([
      expect.objectContaining({ check: 'durability', what: 'synchronous_commit is off' }),
    ]);
  });

  it('prints the mends of a policy that two checks miss so that each may be run', async () => {
    await owner.query('DROP POLICY tenant ON reviews.comments');
    const found = await look();
    expect(found.map(({ check }) => check)).toEqual(['row-level-security', 'objects']);
    for (const { mend } of found) await owner.query(mend);
    expect(await look()).toEqual([]);
  });

  it.each([
    `ALTER TABLE builds.builds DETACH PARTITION builds.builds_${monthAhead(3)}`,
    `ALTER TABLE audit.audit_events DETACH PARTITION audit.audit_events_${monthAhead(3)}`,
    'DROP TABLE audit.audit_events_early',
  ])('prints a mend that brings the same partition back after: %s', async (damage) => {
    const partitions = `SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_class c WHERE c.relispartition ORDER BY 1`;
    const { rows: before } = await owner.query(partitions);
    await owner.query(damage);
    const statements = (await look()).map(({ mend }) => mend).filter((mend) => !mend.startsWith('npm run'));
    expect(statements).toHaveLength(1);
    await owner.query(statements[0]!);
    expect((await owner.query(partitions)).rows).toEqual(before);
    expect(await look()).toEqual([]);
  });

  it('prints a mend that a session may run which the setting has made read-only', async () => {
    await owner.query('ALTER DATABASE plat SET default_transaction_read_only = on');
    const found = await look();
    expect(found.map(({ what }) => what)).toEqual(['DATABASE plat has default_transaction_read_only=on']);
    const readOnly = new Client({ connectionString: cluster.url('plat') });
    await readOnly.connect();
    try {
      await readOnly.query(found[0]!.mend);
    } finally {
      await readOnly.end();
      await owner.query('ALTER DATABASE plat RESET default_transaction_read_only');
    }
    expect(await look()).toEqual([]);
  });

  it('takes a membership back that another role has granted', async () => {
    await owner.query(`CREATE ROLE granter; GRANT plat_inspector TO granter WITH ADMIN TRUE, SET FALSE, INHERIT FALSE;
      SET ROLE granter; GRANT plat_inspector TO plat_builds; RESET ROLE`);
    const found = await look();
    expect(found.map(({ check }) => check)).toEqual(['owners']);
    for (const { mend } of found) await owner.query(mend);
    expect(await look()).toEqual([]);
    await owner.query('DROP OWNED BY granter; REVOKE plat_inspector FROM granter; DROP ROLE granter');
  });

  it('indexes: finds one whose making was interrupted', async () => {
    await owner.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'reviews.reviews_newest'::regclass`,
    );
    expect(await look()).toEqual([expect.objectContaining({ what: 'reviews.reviews_newest is not valid' })]);
    await owner.query(
      `UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'reviews.reviews_newest'::regclass`,
    );
  });

  it('default-partitions: finds one with rows', async () => {
    await owner.query('CREATE TABLE builds.log (at date) PARTITION BY RANGE (at)');
    await owner.query('CREATE TABLE builds.log_rest PARTITION OF builds.log DEFAULT');
    await owner.query('INSERT INTO builds.log VALUES (now())');
    await owner.query('SELECT pg_stat_force_next_flush()');
    await owner.query('SELECT 1');
    expect(await look()).toContainEqual(expect.objectContaining({ what: 'builds.log_rest has rows' }));
    await owner.query('DROP TABLE builds.log');
  });

  it('partitions-ahead: is an error if the last one is near', async () => {
    await owner.query('CREATE TABLE builds.log (at date) PARTITION BY RANGE (at)');
    const part = `builds.log_${monthAhead(1)}`;
    await owner.query(
      `CREATE TABLE ${part} PARTITION OF builds.log FOR VALUES FROM ('2000-01-01') TO ('2000-02-01')`,
    );
    expect(await look()).toEqual([
      expect.objectContaining({
        severity: 'error',
        check: 'partitions-ahead',
        what: expect.stringContaining('builds.log'),
      }),
    ]);
    await owner.query('DROP TABLE builds.log');
  });

  it('every check may be run by a login that may read nothing, and says what it could not examine', async () => {
    const url = Object.assign(new URL(cluster.url('plat')), { username: 'watcher', password: 'test' });
    const found = await look(url.toString());
    expect(found.every(({ what }) => what.startsWith('not examined'))).toBe(true);
    expect(new Set(found.map(({ check }) => check))).toEqual(
      new Set(['migrations', 'published-functions', 'proof-key', 'objects']),
    );
  });

  it('has a test for each check but those of the server that a test cannot make', () => {
    const made = new Set([...RIGHTS, ...STATE].map(([check]) => check));
    const others = ['durability', 'indexes', 'default-partitions', 'partitions-ahead'];
    const ofMends = ['making-objects', 'proof-key', 'login-settings']; // mends.db.spec.ts
    const elsewhere = [...others, ...ofMends];
    const unmade = CHECKS.map(({ name }) => name).filter(
      (name) => !made.has(name) && !elsewhere.includes(name),
    );
    expect(unmade).toEqual([
      'dead-rows',
      'transaction-ids',
      'version',
      'checksums',
      'connections',
      'old-transactions',
    ]);
  });

  it('reports errors first, with why and how to mend each', () => {
    const finding = (severity: Finding['severity'], what: string): Finding => ({
      ...{ severity, check: 'x', what, why: 'because', mend: 'DO IT' },
    });
    expect(renderReport([finding('warning', 'odd'), finding('error', 'wrong')])).toBe(
      'error (x): wrong\n  why:  because\n  mend: DO IT\nwarning (x): odd\n  why:  because\n  mend: DO IT\n1 error, 1 warning',
    );
  });
});
