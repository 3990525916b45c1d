import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@plat/testing';
import { LOGIN_ROLES } from './logins';

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

  it('are made a year ahead by the login of their service', async () => {
    expect(await partitions()).toHaveLength(10);
    expect(await make(await asService())).toBe(true);
    expect(await partitions()).toHaveLength(12);
  });

  it('have the columns, constraints, indexes and triggers of those that a migration made', async () => {
    const shape = (name: string) =>
      test.query(
        `SELECT ARRAY(SELECT format('%s %s %s', attname, format_type(atttypid, atttypmod), attnotnull) FROM pg_attribute
                       WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum) AS columns,
                ARRAY(SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = c.oid ORDER BY 1) AS constraints,
                ARRAY(SELECT substring(indexdef FROM ' USING .*') FROM pg_indexes
                       WHERE schemaname || '.' || tablename = $1 ORDER BY 1) AS indexes,
                ARRAY(SELECT tgfoid::regproc::text FROM pg_trigger WHERE tgrelid = c.oid ORDER BY 1) AS triggers
           FROM pg_class c WHERE c.oid = $1::regclass`,
        [`${service}.${name}`],
      );
    await make(await asService());
    const names = await partitions();
    expect(await shape(names.at(-1)!)).toEqual(await shape(names[0]!));
  });

  it('are made once if three connections make them at the same moment', async () => {
    const answers = await Promise.all([await asService(), await asService(), await asService()].map(make));
    expect(answers).toContain(true);
    expect(await partitions()).toHaveLength(12);
  });

  it('are not made while a long reader has the table, block no writer meanwhile, and are made after it', async () => {
    const reader = await connect(test.ownerUrl);
    await reader.query(`BEGIN; SELECT FROM ${table}`);
    const maker = await asService();
    const made = make(maker);
    const writer = await connect(test.ownerUrl);
    await writer.query('BEGIN');
    // A writer locks the parent and the partition that its row belongs to.
    const [month] = await partitions();
    await writer.query(`LOCK TABLE ONLY ${table}, ONLY ${service}.${month} IN ROW EXCLUSIVE MODE NOWAIT`);
    expect(await made).toBe(false);
    await Promise.all([reader.query('COMMIT'), writer.query('COMMIT')]);
    expect(await make(maker)).toBe(true);
  });
});
