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

  it('are made a year ahead by the login of their service', async () => {
    expect(await partitions()).toHaveLength(10);
    expect(await make(await asService())).toBe(true);
    expect(await partitions()).toHaveLength(12);
  });

  // A login may choose the zone and the style: the last zone is six days off, and calls itself UTC.
  it.each([
    ['Pacific/Apia', 'ISO'],
    ['America/Sao_Paulo', 'ISO'],
    ['UTC', 'ISO'],
    ['Asia/Kolkata', 'SQL, DMY'],
    ['<UTC>+160', 'German'],
  ])('are months of UTC in a session of %s with the style %s', async (zone, style) => {
    const client = await asService();
    await client.query(`SET timezone TO '${zone}'; SET datestyle TO '${style}'`);
    await make(client);
    const bounds = await test.query<{ starts: string; ends: string }>(
      `SELECT x[1] AS starts, x[2] AS ends FROM (
         SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''(.*)''\\) TO \\(''(.*)''\\)') AS x
           FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
          WHERE i.inhparent = $1::regclass AND c.relname ~ '\\d$' ORDER BY c.relname) bounds`,
      [table],
    );
    expect(bounds).toHaveLength(12);
    // Each ends where the next begins, so no moment at the border of two months is without a partition.
    expect(bounds.slice(0, -1).map(({ ends }) => ends)).toEqual(bounds.slice(1).map(({ starts }) => starts));
  });

  it('are counted until the first month that has none', async () => {
    const client = await asService();
    const monthsCovered = async () => {
      const { rows } = await client.query<{ months: number }>(
        `SELECT (date_part('year', age) * 12 + date_part('month', age))::int AS months
           FROM age(${service}.partitions_until() AT TIME ZONE 'UTC', date_trunc('month', now() AT TIME ZONE 'UTC')) age`,
      );
      return rows[0]!.months;
    };
    expect(await monthsCovered()).toBe(10);
    await make(client);
    expect(await monthsCovered()).toBe(12);
    const [present] = await partitions();
    await test.query(`ALTER TABLE ${table} DETACH PARTITION ${service}.${present}`);
    expect(await monthsCovered()).toBe(0);
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
});
