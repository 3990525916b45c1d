import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from '../transactions/database';

describe('a statement whose function answers one more column since a migration', () => {
  let test: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    test = await createTestDatabase();
    await applyDirectory(test.ownerUrl, testDirectory('https://id.example'));
    await test.query('CREATE SCHEMA spec');
    await test.query('GRANT USAGE ON SCHEMA spec TO plat_reviews');
    await test.query('CREATE TABLE spec.rows (one int)');
    await replaceFunction();
    database = await Database.connect({
      url: test.url('plat_reviews'),
      applicationName: 'spec',
      poolSizeMax: 1,
      preparedStatements: true,
    });
  });
  afterEach(async () => {
    await database.close();
    await test.drop();
  });

  /** Has the server look at the plans of the function again. */
  const replaceFunction = () =>
    test.query(`CREATE OR REPLACE FUNCTION spec.read(tenant uuid) RETURNS SETOF spec.rows
      LANGUAGE plpgsql AS 'DECLARE entry spec.rows; BEGIN entry.one := 1; RETURN NEXT entry; END'`);

  it.each(['call', 'find'] as const)('is planned again on the connection that it has: %s', async (way) => {
    const scope = await proveScope(test, 'alice');
    const read = () => database[way](scope, { name: 'spec.read', args: [] });
    for (const more of ['two', 'three']) {
      await Promise.all([read(), read(), read()]);
      await test.query(`ALTER TABLE spec.rows ADD COLUMN ${more} int`);
      await replaceFunction();
      // Each of several at once meets the refusal.
      const answers = await Promise.all([read(), read(), read()]);
      expect(answers.flat()).toEqual(Array(3).fill(expect.objectContaining({ one: 1, [more]: null })));
    }
  });

  it('is not sent again if it failed for another reason', async () => {
    await test.query('CREATE SEQUENCE spec.sent');
    await test.query('GRANT USAGE ON SEQUENCE spec.sent TO plat_reviews');
    await test.query(`CREATE FUNCTION spec.refuse() RETURNS void LANGUAGE plpgsql
      AS 'BEGIN RAISE SQLSTATE ''0A000''; END'`);
    const text = `SELECT nextval('spec.sent'), spec.refuse()`;
    await expect(database.run({ name: 'spec_refuse', text, values: [] })).rejects.toMatchObject({
      code: '0A000',
    });
    expect(await test.query('SELECT last_value::int AS sent FROM spec.sent')).toEqual([{ sent: 1 }]);
  });
});
