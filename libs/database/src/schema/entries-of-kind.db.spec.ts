import { Client } from 'pg';
import { createTestDatabase, TEST_TENANTS, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';

const ACME = TEST_TENANTS.acme.tenantId;
const AUDIT_ENTRIES = 20_000;
/** The last entries of the log, which follow all of kind audit. */
const RARE = ['erasure', 'key', 'landing'];
const PAGE = 101;

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await seal(`generate_series(0, ${AUDIT_ENTRIES - 1}) AS n, (VALUES ('audit')) AS k (kind)`);
  // The statistics know one kind, so that an equal kind would seem to be no filter at all.
  await client.query('ANALYZE ledger.entries');
  await seal(
    `unnest(array['${RARE.join("','")}']) WITH ORDINALITY AS k (kind, nth), LATERAL (SELECT ${AUDIT_ENTRIES - 1} + nth AS n) AS s`,
  );
  await client.query(
    `INSERT INTO ledger.logs (tenant_id, origin, size, sealed_below, landed_below, cluster, note_size, note, note_keys)
     VALUES ($1, 'plat.example/log/a', $2, '0', '0', 0, $2, 'signed', '{}')`,
    [ACME, AUDIT_ENTRIES + RARE.length],
  );
}, 60_000);
afterAll(async () => {
  await client?.end();
  await database.drop();
});

const seal = (source: string) =>
  client.query(
    `INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open, closed, public_key)
     SELECT '${ACME}', n, kind, gen_random_uuid(), now(), sha256('a'), sha256('b'),
            CASE WHEN kind = 'key' THEN sha256('c') END FROM ${source}`,
  );

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Loops': number;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];

/** The statement of the function, as the server has it, with parameters in place of the arguments' names. */
async function statement(): Promise<string> {
  const { rows } = await client.query<{ prosrc: string }>(
    "SELECT prosrc FROM pg_proc WHERE oid = 'ledger.page_entries'::regproc",
  );
  return ['tenant', 'first', 'of_kind', 'page'].reduce(
    (text, name, at) => text.replace(new RegExp(`\\b${name}\\b`, 'g'), `$${at + 1}`),
    rows[0]!.prosrc,
  );
}

/** The nodes of the plan that read entries and were run. */
async function readsOf(mode: 'generic' | 'custom', first: number, kind: string | null): Promise<PlanNode[]> {
  await client.query(`SET plan_cache_mode = 'force_${mode}_plan'`);
  await client.query(`PREPARE paged (uuid, bigint, text, int) AS ${await statement()}`);
  const given = `'${ACME}', ${first}, ${kind === null ? 'NULL' : `'${kind}'`}, ${PAGE}`;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE paged (${given})`,
  );
  await client.query('DEALLOCATE paged');
  return flat(rows[0]!['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'entries' && node['Actual Loops'] > 0,
  );
}

describe.each(['generic', 'custom'] as const)('the entries of a sealed log, with a %s plan,', (mode) => {
  it.each([...RARE, 'audit', 'unknown'])(
    'of the kind %s are read by their index, without others between',
    async (kind) => {
      for (const first of [0, AUDIT_ENTRIES / 2]) {
        const [read, ...more] = await readsOf(mode, first, kind);
        expect(more).toEqual([]);
        expect(read).toMatchObject({
          'Index Name': 'entries_of_kind',
          'Index Cond': expect.stringMatching(/tenant_id = .*kind.*leaf_index.*>=.*kind.*leaf_index.*</),
          'Actual Rows': kind === 'audit' ? PAGE : RARE.includes(kind) ? 1 : 0,
        });
        expect(read!['Rows Removed by Filter'] ?? 0).toBe(0);
      }
    },
  );

  it('of each kind are read by the primary key', async () => {
    const [read, ...more] = await readsOf(mode, AUDIT_ENTRIES - 50, null);
    expect(more).toEqual([]);
    expect(read).toMatchObject({ 'Index Name': 'entries_pkey', 'Actual Rows': 50 + RARE.length });
    expect(read!['Rows Removed by Filter'] ?? 0).toBe(0);
  });
});
