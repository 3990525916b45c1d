import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import {
  createTestDatabase,
  proveScope,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import published from '../../published.json';
import { applyDirectory } from '../directory/apply-directory';
import { LOGIN_ROLES } from '../logins/logins';

const SCHEMAS = ['identity', 'reviews', 'builds', 'releases', 'audit', 'environments', 'figures', 'ledger'];
/** The login of the service that owns a schema; the other schemas are the platform service's. */
const OWN_LOGIN: Record<string, string> = {
  reviews: 'plat_reviews',
  builds: 'plat_builds',
  releases: 'plat_releases',
  audit: 'plat_audit',
};
const own = TEST_TENANTS.acme.tenantId;
const foreign = TEST_TENANTS.globex.tenantId;
const COMMIT = 'c'.repeat(40);
const REPOSITORY = 'https://git.example/globex/app';
const SECRET = 'a name that only globex may read';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
});
afterAll(() => database.drop());

interface CatalogueFunction {
  name: string;
  schema: string;
  definer: boolean;
  search_path: string | null;
  grantees: string[];
  parameters: { name: string; type: string }[];
}

const functions = (): Promise<CatalogueFunction[]> =>
  database.query<CatalogueFunction>(
    `SELECT p.oid::regprocedure::text AS name, n.nspname::text AS schema, p.prosecdef AS definer,
            (SELECT s FROM unnest(p.proconfig) AS s WHERE s LIKE 'search_path=%') AS search_path,
            ARRAY(SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                    FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
                   WHERE a.grantee <> p.proowner ORDER BY 1) AS grantees,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[place], ''),
                                                          'type', format_type(type, NULL)) ORDER BY place), '[]')
               FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS t (type, place)) AS parameters
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname = ANY ($1) ORDER BY 1`,
    [SCHEMAS],
  );

/** The grants of the role that seals, on tables of others and on those of the logs; no login has the role. */
const SEALING =
  /^SELECT on (audit\.audit_events|reviews\.(verifications|later_contents))$|^(SELECT|INSERT) on ledger\.\w+$|^UPDATE on ledger\.(logs|tiles)$/;
/** The statements of merge receipts, which the functions that read a log show. */
const LANDINGS = /^SELECT on reviews\.(verifications|later_contents)$|^REFERENCES on /;

describe('the database contract', () => {
  it('published.json lists what each owner lets others call, and whom', async () => {
    const crossing = (await functions()).filter(({ schema, grantees }) =>
      grantees.some((grantee) => grantee !== (OWN_LOGIN[schema] ?? 'plat_platform')),
    );
    const catalogue = Object.fromEntries(crossing.map(({ name, grantees }) => [name, grantees]));
    expect(catalogue).toEqual(published);
  });

  it('nothing is granted to PUBLIC', async () => {
    expect((await functions()).filter(({ grantees }) => grantees.includes('PUBLIC'))).toEqual([]);
  });

  it("a function with its owner's rights has a fixed search path that ends with the temporary schema", async () => {
    const loose = (await functions()).filter(
      ({ definer, search_path }) => definer && search_path !== 'search_path=pg_catalog, pg_temp',
    );
    expect(loose).toEqual([]);
  });

  it('tables are granted to no login: owners may refer to them, the inspector reads them, what seals reads and adds', async () => {
    const grants = await database.query<{ grant: string; role: string }>(
      `SELECT a.grantee::regrole::text AS role,
              format('%s on %s', a.privilege_type, c.oid::regclass) AS grant
         FROM pg_class c, aclexplode(c.relacl) AS a
        WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND a.grantee <> c.relowner`,
      [SCHEMAS],
    );
    const crossing = grants.filter(({ grant, role }) => {
      if (role === 'plat_inspector') return !grant.startsWith('SELECT on');
      if (role === 'plat_ledger_sealer') return !SEALING.test(grant);
      if (role === 'plat_ledger_owner') return !LANDINGS.test(grant);
      return !(role.endsWith('_owner') && grant.startsWith('REFERENCES on'));
    });
    expect(crossing).toEqual([]);
  });
});

/** Rows of globex in every table that it has rows of. */
interface ForeignRows {
  review: string;
  build: string;
  release: string;
  /** A whole row of reviews.reviews, as the queue's own moves take it. */
  subject: string;
}

async function makeForeignRows(): Promise<ForeignRows> {
  const [review, build, release] = [randomUUID(), newId(), randomUUID()];
  const { proof } = await proveScope(database, 'mallory');
  const client = new Client({ connectionString: database.ownerUrl, options: `-c plat.proof=${proof}` });
  await client.connect();
  const call = (name: string, args: unknown[]): Promise<unknown> =>
    client.query(`SELECT ${name}(${args.map((_, place) => `$${place + 1}`).join(', ')})`, args);
  const user = TEST_USERS.mallory.userId;
  await call('reviews.create_review', [foreign, review, user, SECRET, REPOSITORY, 'topic', 'main']);
  await client.query(
    `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, status, commit_id, file_path, line, body)
     VALUES ($1, $2, $3, $4, 'OPEN', $5, 'a', 1, 'why?')`,
    [foreign, randomUUID(), review, user, COMMIT],
  );
  await call('builds.report_review_build', [
    foreign,
    review,
    build,
    'RECORDED',
    true,
    COMMIT,
    '1.0.0',
    null,
    null,
  ]);
  await call('releases.enqueue', [foreign, release, review, 'main', COMMIT]);
  await client.query("UPDATE releases.releases SET status = 'failed', failure_reason = 'x'");
  const { rows } = await client.query<{ row: string }>('SELECT r::text AS row FROM reviews.reviews r');
  await client.end();
  return { review, build, release, subject: rows[0]!.row };
}

type Samples = Record<string, unknown>;

/** The arguments of parameters, by the parameter's name: rows of globex, and reports that would change them. */
function samplesByName(tenant: string, rows: ForeignRows): Samples {
  const texts = {
    repo: REPOSITORY,
    expected_repo: REPOSITORY,
    target: 'main',
    branch: 'main',
    source: 'topic',
  };
  const report = { build_kind: 'RECORDED', build_successful: false, build_version: '1.0.0', commit: COMMIT };
  const proof = { remoteUrl: REPOSITORY, targetTip: COMMIT, commitId: COMMIT, sourceTip: COMMIT };
  const place = { move: 'fail', after: '', expected_status: 'READY', page: 50 };
  const filters = [
    'wanted',
    'reviewer',
    'earliest',
    'latest',
    'usr',
    'kind',
    'method',
    'path',
    'after_time',
    'after_id',
  ];
  return {
    tenant,
    ...rows,
    ...texts,
    ...report,
    ...place,
    environment: TEST_ENVIRONMENTS['globex/dev'],
    proof: JSON.stringify(proof),
    ...Object.fromEntries(filters.map((name) => [name, null])),
  };
}

/** The arguments of all other parameters, by their type; the id is that of a user of globex. */
const SAMPLES_BY_TYPE: Samples = {
  uuid: TEST_USERS.mallory.userId,
  'uuid[]': [TEST_USERS.mallory.userId],
  text: 'x',
  'text[]': ['x'],
  boolean: true,
  jsonb: '[]',
  integer: 1,
  bigint: 1,
  'timestamp with time zone': '2026-01-01T00:00:00Z',
};

/** Every row of globex, wherever it is. */
async function foreignState(): Promise<unknown> {
  const tables = await database.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = ANY ($1::text[]::regnamespace[]) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attname = 'tenant_id' ORDER BY 1`,
    [SCHEMAS],
  );
  const selects = tables.map(
    ({ name }) =>
      `(SELECT string_agg(t::text, ';' ORDER BY t::text) FROM ${name} t WHERE tenant_id = $1) AS "${name}"`,
  );
  return database.query(`SELECT ${selects.join(', ')}`, [foreign]);
}

/** Calls a function as a service's login that has entered acme. @returns the rows as JSON, or the refusal */
async function callAs(login: Client, name: string, values: unknown[]): Promise<string> {
  const parameters = values.map((_, place) => `$${place + 1}`).join(', ');
  await login.query('BEGIN');
  try {
    await login.query('SELECT tenancy.enter_as($1, false)', [(await proveScope(database, 'alice')).proof]);
    const { rows } = await login.query(`SELECT * FROM ${name.replace(/\(.*/, '')}(${parameters})`, values);
    await login.query('COMMIT');
    return JSON.stringify(rows);
  } catch (error) {
    await login.query('ROLLBACK');
    return String(error);
  }
}

describe('every function that a service may call', () => {
  // It records a batch of the trail, whose rows belong to several tenants.
  const FOR_ALL_TENANTS = ['audit.record_requests(jsonb)'];

  it("leaves a foreign tenant's rows untouched and unread, whichever tenant it is called for", async () => {
    const rows = await makeForeignRows();
    const before = await foreignState();
    for (const role of Object.values(LOGIN_ROLES)) {
      const login = new Client({ connectionString: database.url(role) });
      await login.connect();
      for (const { name, grantees, parameters } of await functions()) {
        if (FOR_ALL_TENANTS.includes(name) || !grantees.includes(role)) continue;
        for (const tenant of [own, foreign]) {
          const samples = { ...SAMPLES_BY_TYPE, ...samplesByName(tenant, rows) };
          const values = parameters.map(({ name, type }) => samples[name in samples ? name : type]);
          const answer = await callAs(login, name, values);
          expect({ name, role, tenant, read: answer.includes(SECRET) }).toEqual({
            name,
            role,
            tenant,
            read: false,
          });
          expect({ name, role, tenant, rows: await foreignState() }).toEqual({
            name,
            role,
            tenant,
            rows: before,
          });
        }
      }
      await login.end();
    }
  });
});
