import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { findObjectFaults } from './objects';

/** A change by hand: the statement, and the finding that reports it. The mend of the finding undoes it. */
type Change = [make: string, what: string];

const CHANGES: Change[] = [
  [
    'ALTER POLICY tenant ON reviews.comments USING (true)',
    'the policy tenant of reviews.comments was altered',
  ],
  ['ALTER POLICY tenant ON ledger.logs WITH CHECK (true)', 'the policy tenant of ledger.logs was altered'],
  [
    'ALTER POLICY inspection ON builds.builds TO PUBLIC',
    'the policy inspection of builds.builds was altered',
  ],
  ['DROP POLICY sealing ON ledger.tiles', 'the policy sealing of ledger.tiles is missing'],
  ['CREATE POLICY open ON reviews.reviews USING (true)', 'the policy open of reviews.reviews was made'],
  [
    'CREATE POLICY open ON audit.audit_events_early USING (true)',
    'the policy open of audit.audit_events_early was made',
  ],
  ['DROP TRIGGER judge_move ON reviews.reviews', 'the trigger judge_move of reviews.reviews is missing'],
  [
    'ALTER TABLE reviews.reviews ENABLE REPLICA TRIGGER judge_move',
    'the state of the trigger judge_move of reviews.reviews was altered',
  ],
  ['ALTER TABLE identity.users OWNER TO CURRENT_USER', 'the owner of identity.users was altered'],
  ['ALTER SCHEMA ledger OWNER TO CURRENT_USER', 'the owner of the schema ledger was altered'],
  ['ALTER TABLE builds.builds_early OWNER TO CURRENT_USER', 'the owner of builds.builds_early was altered'],
  [
    'GRANT SELECT ON ledger.entries TO plat_reviews_owner',
    'SELECT on ledger.entries for plat_reviews_owner was made',
  ],
  [
    'GRANT UPDATE (open) ON ledger.entries TO plat_ledger_sealer',
    'UPDATE (open) on ledger.entries for plat_ledger_sealer was made',
  ],
  [
    'REVOKE INSERT ON ledger.logs FROM plat_ledger_sealer',
    'INSERT on ledger.logs for plat_ledger_sealer is missing',
  ],
  ['GRANT USAGE ON SCHEMA ledger TO plat_builds', 'USAGE on SCHEMA ledger for plat_builds was made'],
  ['GRANT SELECT ON audit.audit_events_early TO plat_builds_owner', 'SELECT on audit.audit_events_early'],
  [
    'ALTER TABLE ledger.logs DROP CONSTRAINT logs_check2',
    'the constraint logs_check2 of ledger.logs is missing',
  ],
  [
    'DROP INDEX audit.pruned_partitions_under_way',
    'the unique index audit.pruned_partitions_under_way is missing',
  ],
  [
    'CREATE RULE lost AS ON INSERT TO audit.audit_events DO INSTEAD NOTHING',
    'the rule lost of audit.audit_events was made',
  ],
  ['ALTER TABLE ledger.tiles SET UNLOGGED', 'UNLOGGED of ledger.tiles was made'],
  ['ALTER TABLE audit.audit_events_early SET UNLOGGED', 'UNLOGGED of audit.audit_events_early was made'],
  [
    'ALTER TABLE reviews.verifications ALTER written_in DROP DEFAULT',
    'the default of reviews.verifications.written_in is missing',
  ],
  [
    `ALTER TABLE reviews.verifications ALTER written_in SET DEFAULT '3'::xid8`,
    'the default of reviews.verifications.written_in was altered',
  ],
  [
    'DROP INDEX reviews.reviews_one_merge; CREATE INDEX reviews_one_merge ON reviews.reviews (tenant_id)',
    'the unique index reviews.reviews_one_merge is missing',
  ],
  ['ALTER TABLE ledger.entries ALTER at DROP NOT NULL', 'NOT NULL of ledger.entries.at is missing'],
];

/** The owner is no superuser, and may run each mend. */
describe('db doctor, on objects that were changed by hand', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let ownerUrl: string;
  let owner: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-objects-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    const first = new Client(cluster.url());
    await first.connect();
    await first.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'test'`);
    await first.query('CREATE DATABASE plat OWNER owner');
    await first.end();
    ownerUrl = Object.assign(new URL(cluster.url('plat')), { username: 'owner', password: 'test' }).href;
    await migrate(ownerUrl);
    owner = new Client(ownerUrl);
    await owner.connect();
  }, 90_000);
  afterAll(async () => {
    await owner.end();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const look = () => findObjectFaults(ownerUrl);
  async function mendAll(): Promise<void> {
    for (const { mend } of await look()) await owner.query(mend);
  }

  it.each(CHANGES)('finds what comes of: %s', async (make, what) => {
    await owner.query(make);
    try {
      expect(await look()).toEqual([
        expect.objectContaining({ severity: 'error', what: expect.stringContaining(what) }),
      ]);
    } finally {
      await mendAll();
    }
    expect(await look()).toEqual([]);
  });

  it('finds the triggers that went with a function', async () => {
    await owner.query('DROP FUNCTION reviews.judge_move CASCADE');
    const found = (await look()).map(({ what }) => what);
    expect(found).toContain('the trigger judge_move of reviews.reviews is missing');
    await migrate(ownerUrl);
    await mendAll();
    expect(await look()).toEqual([]);
  });

  it('finds the owners that pg_restore --no-owner leaves out', async () => {
    await owner.query('REASSIGN OWNED BY plat_builds_owner, plat_reviews_owner TO CURRENT_USER');
    const found = (await look()).map(({ what }) => what);
    expect(found).toContain('the owner of the schema reviews was altered by other means than migrate');
    expect(found).toContain('the owner of reviews.reviews was altered by other means than migrate');
    expect(found).toContain('the owner of builds.builds_early was altered by other means than migrate');
    await mendAll();
    expect(await look()).toEqual([]);
  });

  it('finds a key that went with what refers to it, and restores them in their order', async () => {
    await owner.query('ALTER TABLE reviews.reviews DROP CONSTRAINT reviews_pkey CASCADE');
    expect((await look()).length).toBeGreaterThan(2);
    await mendAll();
    expect(await look()).toEqual([]);
  });

  it('takes a right back with those that its holder has granted', async () => {
    await owner.query(`CREATE ROLE reader; GRANT reader TO CURRENT_USER; GRANT USAGE ON SCHEMA reviews TO reader;
      GRANT SELECT ON reviews.reviews TO reader WITH GRANT OPTION;
      SET ROLE reader; GRANT SELECT ON reviews.reviews TO plat_audit_owner; RESET ROLE`);
    expect(await look()).toHaveLength(3);
    await mendAll();
    expect(await look()).toEqual([]);
    await owner.query('DROP ROLE reader');
  });

  it('finds a table that was dropped, without what stood on it, and names the backup', async () => {
    await owner.query('BEGIN; ALTER TABLE ledger.tiles RENAME TO kept; COMMIT');
    expect(await look()).toContainEqual(
      expect.objectContaining({
        what: 'the table ledger.tiles is missing',
        mend: expect.stringContaining('from a backup'),
      }),
    );
    expect((await look()).filter(({ what }) => what.includes('ledger.tiles'))).toHaveLength(1);
    await owner.query('ALTER TABLE ledger.kept RENAME TO tiles');
  });

  it('says that nothing was noted, and that a migrate has not ended', async () => {
    await owner.query(`UPDATE migrations.objects SET moment = 'before'`);
    expect(await look()).toEqual([
      expect.objectContaining({ severity: 'warning', what: expect.stringContaining('was killed') }),
    ]);
    await owner.query('DELETE FROM migrations.objects');
    expect(await look()).toEqual([
      expect.objectContaining({ severity: 'warning', what: expect.stringContaining('has noted') }),
    ]);
    await migrate(ownerUrl);
    expect(await look()).toEqual([]);
  });

  it('prints no statement about grants on a column that was dropped', async () => {
    await owner.query('ALTER TABLE reviews.reviews DROP COLUMN name CASCADE');
    const found = await look();
    expect(found.map(({ what }) => what)).toContain('the column reviews.reviews.name is missing');
    expect(found.filter(({ mend }) => /^(GRANT|REVOKE)/.test(mend))).toEqual([]);
  });
});
