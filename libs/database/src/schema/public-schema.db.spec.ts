import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { LOGIN_ROLES } from '../logins/logins';
import { migrate } from '../migrations/migrate';

describe('the schema public of a cluster that was made by PostgreSQL 14', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
    await migrate(database.ownerUrl);
  });
  afterAll(() => database.drop());

  it.each(Object.values(LOGIN_ROLES))(
    'takes no function of %s, which might run in place of one of PostgreSQL, as the owner',
    async (login) => {
      const client = new Client({ connectionString: database.url(login) });
      await client.connect();
      const statement = `CREATE FUNCTION public.format(text, name, text) RETURNS text LANGUAGE sql RETURN 'shadow'`;
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      await client.end();
    },
  );
});
