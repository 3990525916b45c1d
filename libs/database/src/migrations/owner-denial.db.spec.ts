import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { migrate, type SchemaSource, SOURCE_SCHEMA } from './migrate';

/** A superuser restored the database, or a part of it, and the owner is no superuser. */
describe('a migrate that may not act as the owner of an object', () => {
  let folder: string;
  let cluster: EmbeddedCluster;
  let source: SchemaSource;
  let ownerUrl: string;
  let superuser: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-denial-'));
    cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    const first = new Client(cluster.url());
    await first.connect();
    await first.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'test'; CREATE ROLE restorer SUPERUSER`);
    await first.query('CREATE DATABASE plat OWNER owner');
    await first.end();
    ownerUrl = Object.assign(new URL(cluster.url('plat')), { username: 'owner', password: 'test' }).href;
    await migrate(ownerUrl);
    superuser = new Client(cluster.url('plat'));
    await superuser.connect();
    source = { ...SOURCE_SCHEMA, migrationsDir: join(folder, 'migrations') };
    await cp(SOURCE_SCHEMA.migrationsDir, source.migrationsDir, { recursive: true });
    await writeFile(
      join(source.migrationsDir, '9001_more.sql'),
      `CREATE TABLE ledger.more (tenant_id uuid); CALL tenancy.protect('ledger.more')`,
    );
  }, 90_000);
  afterAll(async () => {
    await superuser.end();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['SCHEMA migrations', 'the schema migrations', 'SCHEMA migrations', 'owner'],
    ['SCHEMA tenancy', 'the schema tenancy', 'SCHEMA tenancy', 'owner'],
    ['SCHEMA ledger', 'the schema ledger', 'SCHEMA ledger', 'plat_ledger_owner'],
    ['PROCEDURE tenancy.protect', 'tenancy.protect(regclass)', 'ROUTINE tenancy.protect(regclass)', 'owner'],
  ])('names the owner and the statement for a superuser: %s', async (object, name, altered, owner) => {
    await superuser.query(`ALTER ${object} OWNER TO restorer; ALTER FUNCTION tenancy.shown_instant COST 7`);
    const statement = `ALTER ${altered} OWNER TO ${owner}`;
    try {
      // The statement that is refused first differs.
      const run = migrate(ownerUrl, object === 'SCHEMA tenancy' ? SOURCE_SCHEMA : source);
      await expect(run).rejects.toThrow(
        `: ${name} belongs to restorer. Let a superuser run ${statement}, then run migrate again.`,
      );
    } finally {
      await superuser.query(statement);
    }
    await expect(migrate(ownerUrl)).resolves.toMatchObject({ migrations: [] });
  });

  it('keeps an error that has another cause', async () => {
    await superuser.query('ALTER TABLE ledger.logs OWNER TO restorer');
    await writeFile(
      join(source.migrationsDir, '9001_more.sql'),
      'ALTER TABLE ledger.logs ADD COLUMN more int',
    );
    await expect(migrate(ownerUrl, source)).rejects.toThrow(/^must be owner of table logs$/);
  });
});
