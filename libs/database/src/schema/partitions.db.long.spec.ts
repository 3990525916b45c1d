import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { LOGIN_ROLES } from '../logins/logins';

describe.each([
  { table: 'audit.audit_events', service: 'audit' },
  { table: 'builds.builds', service: 'builds' },
] as const)('the partitions of $table', ({ table, service }) => {
  let test: TestDatabase;
  const clients: Client[] = [];
  beforeEach(async () => {
    test = await createTestDatabase();
    for (const name of (await partitions()).slice(-2)) {
      await test.query(`ALTER TABLE ${table} DETACH PARTITION ${service}.${name}`);
      await test.query(`DROP TABLE ${service}.${name}`);
    }
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await test.drop();
  });

  async function connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  }
  const asService = () => connect(test.url(LOGIN_ROLES[service]));

  /** The names of the monthly partitions, in order. */
  const partitions = async () =>
    (
      await test.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
          WHERE i.inhparent = $1::regclass AND c.relname ~ '\\d$' AND c.relrowsecurity AND c.relforcerowsecurity
            AND pg_get_userbyid(c.relowner) = 'plat_${service}_owner' ORDER BY 1`,
        [table],
      )
    ).map(({ name }) => name);
  const make = async (client: Client) =>
    (await client.query<{ made: boolean }>(`SELECT ${service}.make_partitions() AS made`)).rows[0]!.made;

  it('are made once if three connections make them at the same moment', async () => {
    const answers = await Promise.all([await asService(), await asService(), await asService()].map(make));
    expect(answers).toContain(true);
    expect(await partitions()).toHaveLength(12);
  });

  it('are made while a long reader has the table', async () => {
    const reader = await connect(test.ownerUrl);
    await reader.query(`BEGIN; SELECT FROM ${table}`);
    expect(await make(await asService())).toBe(true);
    await reader.query('COMMIT');
  });

  it('are not made while someone else makes them, block no writer meanwhile, and are made after it', async () => {
    const other = await connect(test.ownerUrl);
    await other.query(`BEGIN; LOCK TABLE ONLY ${table} IN SHARE UPDATE EXCLUSIVE MODE`);
    const maker = await asService();
    const made = make(maker);
    const writer = await connect(test.ownerUrl);
    await writer.query('BEGIN');
    // A writer locks the parent and the partition that its row belongs to.
    const [month] = await partitions();
    await writer.query(`LOCK TABLE ONLY ${table}, ONLY ${service}.${month} IN ROW EXCLUSIVE MODE NOWAIT`);
    expect(await made).toBe(false);
    await Promise.all([other.query('COMMIT'), writer.query('COMMIT')]);
    expect(await make(maker)).toBe(true);
  });
});
