import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { compareObjects } from './compare-objects';
import { migrate, type SchemaSource, SOURCE_SCHEMA } from './migrate';
import { NOTED_SCHEMAS } from './object-facts';

describe('the notes of a migrate', () => {
  let test: TestDatabase;
  let source: SchemaSource;
  let folder: string;
  beforeEach(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'plat-objects-'));
    source = { ...SOURCE_SCHEMA, migrationsDir: join(folder, 'migrations') };
    await cp(SOURCE_SCHEMA.migrationsDir, source.migrationsDir, { recursive: true });
  });
  afterEach(async () => {
    await test.drop();
    await rm(folder, { recursive: true });
  });

  const addMigration = (name: string, sql: string) =>
    writeFile(join(source.migrationsDir, `${name}.sql`), sql);
  const compare = () => compareObjects(test.ownerUrl);
  const differences = async () =>
    (await compare()).differences.map(({ name, change }) => `${name}: ${change}`);

  it('cover every schema of the product', async () => {
    const rows = await test.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public', 'migrations')`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...NOTED_SCHEMAS].sort());
  });

  it('follow a migration that makes, changes and drops objects', async () => {
    await addMigration(
      '9001_more',
      `DROP POLICY sealing ON ledger.tiles;
       ALTER TABLE ledger.logs DROP CONSTRAINT logs_check2, ADD CONSTRAINT logs_check2 CHECK (note_size < size + 1);
       CREATE TABLE ledger.more (tenant_id uuid PRIMARY KEY);
       CALL tenancy.protect('ledger.more');`,
    );
    await migrate(test.ownerUrl, source);
    expect(await differences()).toEqual([]);
    await test.query('DROP POLICY tenant ON ledger.more');
    expect(await differences()).toEqual(['the policy tenant of ledger.more: missing']);
  });

  it('keep what was changed by hand before a migration, unless the migration changes it too', async () => {
    await test.query('ALTER POLICY tenant ON ledger.logs USING (true)');
    await test.query('CREATE POLICY open ON ledger.tiles USING (true)');
    await test.query('DROP POLICY sealing ON ledger.tiles');
    await test.query('REVOKE INSERT ON ledger.logs FROM plat_ledger_sealer');
    await addMigration('9001_more', 'GRANT INSERT ON ledger.logs TO plat_ledger_sealer');
    await migrate(test.ownerUrl, source);
    expect(await differences()).toEqual([
      'the policy open of ledger.tiles: additional',
      'the policy sealing of ledger.tiles: missing',
      'the policy tenant of ledger.logs: altered',
    ]);
  });

  it('keep what was changed by hand after a run that failed', async () => {
    await addMigration('9001_more', 'CREATE POLICY more ON ledger.tiles USING (false)');
    await addMigration('9002_faulty', 'SELECT 1 / 0');
    await expect(migrate(test.ownerUrl, source)).rejects.toThrow('division by zero');
    expect(await compare()).toMatchObject({ notes: 'present', differences: [] });
    await test.query('ALTER POLICY tenant ON ledger.logs USING (true)');
    await addMigration('9002_faulty', 'SELECT 1');
    await migrate(test.ownerUrl, source);
    expect(await differences()).toEqual(['the policy tenant of ledger.logs: altered']);
  });

  /** Ends a run when it has done its work and is about to note it, as far as a condition holds then. */
  async function endBeforeNote(condition: string): Promise<void> {
    await test.query(
      `CREATE FUNCTION public.end_run() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN IF ${condition} THEN RAISE 'ended'; END IF; RETURN OLD; END $$`,
    );
    await test.query(
      `CREATE TRIGGER end_run BEFORE DELETE ON migrations.objects FOR EACH ROW EXECUTE FUNCTION public.end_run()`,
    );
    await expect(migrate(test.ownerUrl, source)).rejects.toThrow('ended');
    await test.query('DROP FUNCTION public.end_run CASCADE');
  }

  it('are made up for by the next run if one was ended after a migration', async () => {
    await addMigration('9001_more', 'CREATE POLICY more ON ledger.tiles USING (false)');
    await endBeforeNote('true');
    expect(await compare()).toMatchObject({ notes: 'unended', differences: [] });
    await migrate(test.ownerUrl, source);
    expect(await compare()).toMatchObject({ notes: 'present', differences: [] });
  });

  it('keep what was changed by hand after a run that ended without a migration', async () => {
    await endBeforeNote('true');
    await test.query('ALTER POLICY tenant ON ledger.logs USING (true)');
    expect(await differences()).toEqual(['the policy tenant of ledger.logs: altered']);
    await migrate(test.ownerUrl, source);
    expect(await differences()).toEqual(['the policy tenant of ledger.logs: altered']);
  });

  it('have no other constraint if a run was ended after it validated one', async () => {
    await addMigration(
      '9001_more',
      'ALTER TABLE ledger.logs ADD CONSTRAINT more CHECK (size < 9000) NOT VALID',
    );
    await endBeforeNote(`EXISTS (SELECT FROM pg_constraint WHERE conname = 'more' AND convalidated)`);
    expect(await differences()).toEqual([]);
    await migrate(test.ownerUrl, source);
    expect(await differences()).toEqual([]);
  });

  it('ignore partitions that come and go', async () => {
    await test.query(`CALL tenancy.make_partitions('audit.audit_events', '2199-01-01', 1)`);
    await test.query('DROP TABLE audit.audit_events_early');
    expect(await differences()).toEqual([]);
  });

  it('ignore the brackets that a constraint has once it was restored from its own text', async () => {
    await addMigration(
      '9001_more',
      'ALTER TABLE ledger.logs ADD CONSTRAINT more CHECK (size BETWEEN 0 AND 9 AND note_size < 9)',
    );
    await migrate(test.ownerUrl, source);
    const read = () =>
      test.query<{ text: string }>(
        `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'more'`,
      );
    const [before] = await read();
    await test.query(`ALTER TABLE ledger.logs DROP CONSTRAINT more, ADD CONSTRAINT more ${before!.text}`);
    expect(await read()).not.toEqual([before]);
    expect(await differences()).toEqual([]);
  });

  it('ignore a table, a column and an index of the operator', async () => {
    await test.query('CREATE TABLE ledger.own (id int PRIMARY KEY)');
    await test.query('ALTER TABLE ledger.logs ADD COLUMN own text');
    await test.query('CREATE INDEX own_index ON ledger.logs (origin)');
    expect(await differences()).toEqual([]);
  });

  it('are not compared as texts that another major version of PostgreSQL printed, until migrate notes them again', async () => {
    await test.query(`UPDATE migrations.objects SET server = 9, make = make || ' ' WHERE server IS NOT NULL`);
    const { uncompared, differences: found } = await compare();
    expect(uncompared).toBeGreaterThan(100);
    expect(found).toEqual([]);
    await test.query('DROP POLICY tenant ON ledger.logs');
    await migrate(test.ownerUrl, source);
    expect(await compare()).toMatchObject({ uncompared: 1 });
    expect(await differences()).toEqual(['the policy tenant of ledger.logs: missing']);
  });
});
