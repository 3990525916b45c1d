import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { makeConcurrentIndexes } from './concurrent-indexes';

const WANTED = [
  { name: 'spec_plain', table: 'reviews.reviews', columns: 'tenant_id, name' },
  { name: 'spec_parts', table: 'builds.builds', columns: 'tenant_id, kind', where: 'review_id IS NOT NULL' },
];

describe('an index of a large table', () => {
  let test: TestDatabase;
  const clients: Client[] = [];
  beforeEach(async () => (test = await createTestDatabase()));
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await test.drop();
  });

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: test.ownerUrl });
    await client.connect();
    clients.push(client);
    return client;
  }
  const usable = async (name: string) =>
    (await test.query('SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid', [name]))
      .length === 1;

  it('is made while writers write, and is made once', async () => {
    const writer = await connect();
    await writer.query('BEGIN; LOCK TABLE reviews.reviews, builds.builds IN ROW EXCLUSIVE MODE');
    const made = makeConcurrentIndexes(await connect(), WANTED.slice(0, 1));
    for (;;) {
      const waiting = await test.query(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY spec%'",
      );
      if (waiting.length > 0) break;
    }
    const other = await connect();
    await other.query('BEGIN; LOCK TABLE reviews.reviews IN ROW EXCLUSIVE MODE NOWAIT; COMMIT');
    await writer.query('COMMIT');
    await made;
    await makeConcurrentIndexes(await connect(), WANTED);
    expect(await Promise.all(['reviews.spec_plain', 'builds.spec_parts'].map(usable))).toEqual([true, true]);
    const indexes = () => test.query("SELECT oid FROM pg_class WHERE relname LIKE '%spec\\_%' ORDER BY 1");
    const before = await indexes();
    await makeConcurrentIndexes(await connect(), WANTED);
    expect(await indexes()).toEqual(before);
  });

  it('is made again where that failed half-way', async () => {
    const client = await connect();
    await makeConcurrentIndexes(client, WANTED);
    await test.query(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'reviews.spec_plain'::regclass",
    );
    await makeConcurrentIndexes(client, WANTED);
    expect(await usable('reviews.spec_plain')).toBe(true);
  });

  it('is attached to a partition that was made since', async () => {
    await makeConcurrentIndexes(await connect(), WANTED);
    await test.query("CALL tenancy.make_partitions('builds.builds', (now() + interval '2 years')::date, 1)");
    expect(await usable('builds.spec_parts')).toBe(true);
  });
});
