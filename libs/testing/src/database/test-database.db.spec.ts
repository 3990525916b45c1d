import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database';

describe('createTestDatabase', () => {
  const made: TestDatabase[] = [];
  const create = async () => {
    const database = await createTestDatabase();
    made.push(database);
    return database;
  };
  afterAll(() => Promise.all(made.map((database) => database.drop())));

  it('gives every caller a database of its own, with all migrations applied', async () => {
    const [one, other] = await Promise.all([create(), create()]);
    await one.query('CREATE TABLE public.mine ()');
    expect(await other.query(`SELECT to_regclass('public.mine') AS mine`)).toEqual([{ mine: null }]);
    expect(await other.query(`SELECT to_regclass('reviews.reviews')::text AS reviews`)).toEqual([
      { reviews: 'reviews.reviews' },
    ]);
  });

  it('lets a service log in as a role that owns nothing and reaches no table', async () => {
    const database = await create();
    const client = new Client(database.url('plat_reviews'));
    await client.connect();
    const { rows } = await client.query('SELECT current_user::text AS role');
    await expect(client.query('SELECT FROM reviews.reviews')).rejects.toThrow('permission denied');
    await client.end();
    expect(rows).toEqual([{ role: 'plat_reviews' }]);
  });

  it('is gone once it is dropped, though someone is connected', async () => {
    const database = await createTestDatabase();
    const client = new Client(database.ownerUrl);
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(new Client(database.ownerUrl).connect()).rejects.toThrow('does not exist');
  });
});
