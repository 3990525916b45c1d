import { Client } from 'pg';
import { LOGIN_ROLES, SOURCE_SCHEMA } from '@plat/database';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { examine } from './doctor';

describe('a function that a login made in the schema public while everybody might', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
    client = new Client({ connectionString: database.url(LOGIN_ROLES.reviews) });
    await client.connect();
    // It takes the arguments of a statement of doctor more exactly than PostgreSQL's own function.
    await client.query(
      `CREATE FUNCTION public.format(text, text, text) RETURNS text LANGUAGE plpgsql
         AS $$ BEGIN RETURN 'run as ' || current_user; END $$`,
    );
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('is not run by doctor, as the owner who examines', async () => {
    const { rows } = await client.query<{ statement: string }>(
      `SELECT pg_catalog.format('ALTER ROLE %I IN DATABASE %I SET synchronous_commit = off', current_user, current_database()) AS statement`,
    );
    await client.query(rows[0]!.statement);
    const findings = await examine(database.ownerUrl, SOURCE_SCHEMA);
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'session-settings', what: expect.stringContaining('plat_reviews') }),
    );
    expect(findings.filter(({ what }) => what.startsWith('run as'))).toEqual([]);
  });
});
