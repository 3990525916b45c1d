import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { compareSchema } from '../migrations/compare-schema';
import { migrate, type SchemaSource, SOURCE_SCHEMA } from '../migrations/migrate';

describe('the functions of a database', () => {
  let test: TestDatabase;
  let source: SchemaSource;
  let folder: string;
  beforeEach(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'plat-functions-'));
    source = { migrationsDir: join(folder, 'migrations'), functionsDir: join(folder, 'functions') };
    await cp(SOURCE_SCHEMA.migrationsDir, source.migrationsDir, { recursive: true });
    await cp(SOURCE_SCHEMA.functionsDir, source.functionsDir, { recursive: true });
  });
  afterEach(async () => {
    await test.drop();
    await rm(folder, { recursive: true });
  });

  const pathOf = (name: string) => join(source.functionsDir, `${name}.sql`);
  async function edit(name: string, change: (sql: string) => string): Promise<void> {
    const sql = await readFile(pathOf(name), 'utf8');
    expect(change(sql)).not.toBe(sql);
    await writeFile(pathOf(name), change(sql));
  }
  const factsOf = (name: string) =>
    test.query<{ body: string; grantees: string; owner: string }>(
      `SELECT prosrc AS body, proacl::text AS grantees, pg_get_userbyid(proowner) AS owner FROM pg_proc
        WHERE oid = to_regproc($1)`,
      [name],
    );

  it('are made again if their file changed, and no others', async () => {
    await edit('reviews/advance', (sql) => sql.replaceAll('EMPTY_QUEUE', 'NOT_FOUND'));
    expect((await compareSchema(test.ownerUrl, source)).functions).toEqual(['reviews/advance']);
    expect(await migrate(test.ownerUrl, source)).toEqual({ migrations: [], functions: ['reviews/advance'] });
    expect((await factsOf('reviews.advance'))[0]!.body).toContain(`tenancy.refuse('NOT_FOUND')`);
    expect(await migrate(test.ownerUrl, source)).toEqual({ migrations: [], functions: [] });
  });

  it('have the grants of their file alone, and its owner', async () => {
    const [before] = await factsOf('ledger.seal_due');
    await test.query('GRANT EXECUTE ON FUNCTION ledger.seal_due TO plat_builds');
    await edit('ledger/sealer/seal_due', (sql) => `${sql}-- A change.\n`);
    await migrate(test.ownerUrl, source);
    expect(await factsOf('ledger.seal_due')).toEqual([before]);
    expect(before!.owner).toBe('plat_ledger_sealer');
  });

  it('stay as they are, all of them, if one file has a fault, which is named with its line', async () => {
    await edit('reviews/advance', (sql) => sql.replaceAll('EMPTY_QUEUE', 'NOT_FOUND'));
    await writeFile(
      pathOf('reviews/broken'),
      'CREATE OR REPLACE FUNCTION reviews.broken() RETURNS int\nLANGUAGE sql RETURN 1 1;\n',
    );
    await expect(migrate(test.ownerUrl, source)).rejects.toThrow(
      'functions/reviews/broken.sql:2: syntax error at or near "1"',
    );
    expect((await factsOf('reviews.advance'))[0]!.body).toContain(`tenancy.refuse('EMPTY_QUEUE')`);
    const roles = await test.query(
      `SELECT FROM pg_namespace WHERE nspacl::text LIKE '%plat_ledger_sealer=UC%'`,
    );
    expect(roles).toEqual([]);
  });

  const BY_HAND: Record<string, string> = {
    'reviews/advance': 'GRANT EXECUTE ON FUNCTION reviews.advance TO plat_builds WITH GRANT OPTION',
    'reviews/get_review': 'ALTER FUNCTION reviews.get_review RESET search_path',
    'reviews/merges': 'ALTER FUNCTION reviews.merges OWNER TO plat_builds_owner',
    'reviews/page_reviews': 'DROP FUNCTION reviews.page_reviews',
    'reviews/promote': 'REVOKE ALL ON FUNCTION reviews.promote FROM plat_reviews_owner',
    'tenancy/enter_as': `CREATE OR REPLACE FUNCTION tenancy.enter_as(proof text, read_across boolean) RETURNS uuid
                           LANGUAGE sql RETURN gen_random_uuid()`,
  };

  it('are named, and made again, if the database has others than their files made', async () => {
    const names = Object.keys(BY_HAND);
    const factsOfAll = () => Promise.all(names.map((name) => factsOf(name.replace('/', '.'))));
    const before = await factsOfAll();
    for (const statement of Object.values(BY_HAND)) await test.query(statement);
    const { functions, altered } = await compareSchema(test.ownerUrl, source);
    expect({ functions, altered: altered.sort() }).toEqual({ functions: [], altered: names });
    expect((await migrate(test.ownerUrl, source)).functions.sort()).toEqual(names);
    expect(await factsOfAll()).toEqual(before);
    expect((await compareSchema(test.ownerUrl, source)).altered).toEqual([]);
  });

  it('are not made again while one was made by hand under the same name, which the operator drops', async () => {
    await test.query('CREATE FUNCTION reviews.advance(int) RETURNS int LANGUAGE sql RETURN 1');
    await expect(migrate(test.ownerUrl, source)).rejects.toThrow(
      'is not unique. Drop the one that no file of this release makes, then run migrate again',
    );
    await test.query('DROP FUNCTION reviews.advance(int)');
    await migrate(test.ownerUrl, source);
    expect((await compareSchema(test.ownerUrl, source)).altered).toEqual([]);
  });

  it('have no grant of a default privilege', async () => {
    await test.query(
      'ALTER DEFAULT PRIVILEGES FOR ROLE plat_reviews_owner GRANT EXECUTE ON FUNCTIONS TO plat_builds',
    );
    await writeFile(
      pathOf('reviews/one'),
      `CREATE OR REPLACE FUNCTION reviews.one() RETURNS int LANGUAGE sql RETURN 1;
       REVOKE ALL ON FUNCTION reviews.one FROM PUBLIC;`,
    );
    await migrate(test.ownerUrl, source);
    expect((await factsOf('reviews.one'))[0]!.grantees).toBe('{plat_reviews_owner=X/plat_reviews_owner}');
  });

  it.each([
    [
      'a COMMIT, which would leave the work of all files half done',
      '\n\nCOMMIT;',
      'COMMIT would end the transaction of all files',
    ],
    ['a call that no function answers', '\n\nSELECT reviews.none();', ':3: function reviews.none() does not'],
    [
      'a body with such a call, though the database says not to look into bodies',
      '\nCREATE FUNCTION reviews.two() RETURNS int LANGUAGE sql AS $$\n  SELECT reviews.none()\n$$;',
      ':3: function reviews.none() does not',
    ],
  ])('stay as they are if a file has %s', async (_, statements, message) => {
    const database = new URL(test.ownerUrl).pathname.slice(1);
    await test.query(`ALTER DATABASE ${database} SET check_function_bodies = off`);
    await edit('reviews/advance', (sql) => sql.replaceAll('EMPTY_QUEUE', 'NOT_FOUND'));
    await writeFile(
      pathOf('reviews/one'),
      `CREATE OR REPLACE FUNCTION reviews.one() RETURNS text LANGUAGE sql RETURN 'it''s \\';${statements}\n`,
    );
    await expect(migrate(test.ownerUrl, source)).rejects.toThrow(message);
    expect((await factsOf('reviews.advance'))[0]!.body).toContain(`tenancy.refuse('EMPTY_QUEUE')`);
    expect(await factsOf('reviews.one')).toEqual([]);
    expect((await compareSchema(test.ownerUrl, source)).functions).toEqual([
      'reviews/advance',
      'reviews/one',
    ]);
  });

  it('call those of PostgreSQL, whatever the search_path of the owner puts before them', async () => {
    const database = new URL(test.ownerUrl).pathname.slice(1);
    await test.query('CREATE SCHEMA evil');
    await test.query(`CREATE FUNCTION evil.lower(text) RETURNS text LANGUAGE sql RETURN 'evil'`);
    await test.query(`ALTER DATABASE ${database} SET search_path = evil, pg_catalog`);
    await writeFile(
      pathOf('reviews/one'),
      `CREATE OR REPLACE FUNCTION reviews.one() RETURNS text LANGUAGE sql RETURN lower('GOOD');`,
    );
    await migrate(test.ownerUrl, source);
    expect(await test.query('SELECT reviews.one()')).toEqual([{ one: 'good' }]);
  });

  it('may be named by the trigger of a migration that comes with them', async () => {
    await writeFile(
      join(source.migrationsDir, '9999_spec.sql'),
      `CREATE TABLE reviews.spec (x int);
       CREATE TRIGGER spec BEFORE INSERT ON reviews.spec FOR EACH ROW EXECUTE FUNCTION reviews.judge_spec();`,
    );
    await writeFile(
      pathOf('reviews/judge_spec'),
      `CREATE OR REPLACE FUNCTION reviews.judge_spec() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE 'judged % of %', NEW.x, (SELECT count(*) FROM reviews.spec); END $$;`,
    );
    expect(await migrate(test.ownerUrl, source)).toEqual({
      migrations: ['9999_spec'],
      functions: ['reviews/judge_spec'],
    });
    await expect(test.query('INSERT INTO reviews.spec VALUES (7)')).rejects.toThrow('judged 7 of 0');
  });

  it('are those of a newer release if that has migrated the database', async () => {
    await test.query(`UPDATE identity.schema_state SET version = '9998_newer'`);
    await edit('reviews/advance', (sql) => sql.replaceAll('EMPTY_QUEUE', 'NOT_FOUND'));
    expect(await migrate(test.ownerUrl, source)).toEqual({ migrations: [], functions: [] });
    expect((await compareSchema(test.ownerUrl, source)).functions).toEqual([]);
    expect(await test.query('SELECT version FROM identity.schema_state')).toEqual([
      { version: '9998_newer' },
    ]);
  });

  it('are those of a newer release if that has begun to migrate the database', async () => {
    await test.query(`INSERT INTO migrations.applied (name, run_on) VALUES ('9998_newer', now())`);
    await edit('reviews/advance', (sql) => sql.replaceAll('EMPTY_QUEUE', 'NOT_FOUND'));
    expect(await migrate(test.ownerUrl, source)).toEqual({ migrations: [], functions: [] });
    expect(await compareSchema(test.ownerUrl, source)).toMatchObject({ functions: [], altered: [] });
  });

  it('are not there yet in a schema that a migration to come makes', async () => {
    await mkdir(join(source.functionsDir, 'spec'));
    await writeFile(
      join(source.migrationsDir, '9999_spec.sql'),
      'CREATE SCHEMA spec AUTHORIZATION plat_reviews_owner;',
    );
    await writeFile(
      pathOf('spec/one'),
      'CREATE OR REPLACE FUNCTION spec.one() RETURNS int LANGUAGE sql RETURN 1;',
    );
    expect((await migrate(test.ownerUrl, source)).functions).toEqual(['spec/one']);
    expect((await factsOf('spec.one'))[0]!.owner).toBe('plat_reviews_owner');
  });
});
