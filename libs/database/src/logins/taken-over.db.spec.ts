import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  createTestDatabase,
  proveScope,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { migrate } from '../migrations/migrate';
import { LOGIN_ROLES } from './logins';

const LOGINS = Object.values(LOGIN_ROLES);
const [acme, globex, ops] = [
  TEST_TENANTS.acme.tenantId,
  TEST_TENANTS.globex.tenantId,
  TEST_TENANTS.ops.tenantId,
];
const SECRET = 'a name that only globex may read';
const COMMIT = 'c'.repeat(40);
const REFUSED = { code: '42501' };

let database: TestDatabase;
let proofs: Record<'alice' | 'mallory' | 'olga', string>;
const foreignReview = randomUUID();
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
  await database.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch)
     VALUES ($1, $2, $3, $4, 'topic', 'main')`,
    [globex, foreignReview, TEST_USERS.mallory.userId, SECRET],
  );
  const proofOf = async (user: keyof typeof proofs) => (await proveScope(database, user)).proof;
  proofs = { alice: await proofOf('alice'), mallory: await proofOf('mallory'), olga: await proofOf('olga') };
});
afterAll(() => database.drop());

/** A session with a login's password and nothing else. */
async function as<T>(login: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.url(login) });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Runs work in one transaction and rolls it back. */
async function within<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  return work().finally(() => client.query('ROLLBACK'));
}

const everyTable = (): Promise<{ name: string }[]> =>
  database.query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_roles o ON o.oid = c.relowner
      WHERE c.relkind IN ('r', 'p', 'v', 'S') AND (o.rolname LIKE 'plat\\_%' OR c.relnamespace = to_regnamespace('migrations'))`,
  );

describe.each(LOGINS)('whoever has the login %s', (login) => {
  it('reads and writes no table', async () => {
    const tables = (await everyTable()).map(({ name }) => name);
    expect(tables.length).toBeGreaterThan(20);
    const held = await database.query(
      `SELECT t, p FROM unnest($2::text[]) AS t,
              unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p
        WHERE (SELECT relkind FROM pg_class WHERE oid = t::regclass) <> 'S'
          AND (has_table_privilege($1, t, p)
               OR p IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege($1, t, p))`,
      [login, tables],
    );
    expect(held).toEqual([]);
    await as(login, async (client) => {
      await expect(client.query('SELECT FROM reviews.reviews')).rejects.toMatchObject(REFUSED);
    });
  });

  it('can become no other role', async () => {
    const roles = await database.query(
      `SELECT r.rolname AS role FROM pg_roles r
        WHERE pg_has_role($1, r.oid, 'MEMBER') AND r.rolname <> $1`,
      [login],
    );
    expect(roles).toEqual([]);
  });

  it('enters no tenant by naming one without a proof', async () => {
    await as(login, (client) =>
      within(client, async () => {
        await client.query(
          `SELECT set_config('plat.tenant_id', $1, true), set_config('plat.user_id', $2, true)`,
          [globex, TEST_USERS.mallory.userId],
        );
        await client.query(`SELECT set_config('plat.across', 'on', true)`);
        const { rows } = await client.query(
          'SELECT tenancy.tenant_id(), tenancy.user_id(), tenancy.across()',
        );
        expect(rows).toEqual([{ tenant_id: null, user_id: null, across: false }]);
      }),
    );
  });

  it.each<[string, (proof: string) => string]>([
    ['of another tenant', (proof) => globex + proof.slice(36)],
    ['of another user', (proof) => proof.slice(0, 36) + TEST_USERS.bob.userId + proof.slice(72)],
    ['of the operations tenant', (proof) => `${proof.slice(0, 72)}1${proof.slice(73)}`],
    ['that lasts longer', (proof) => `${proof.slice(0, 73)}9999999999${proof.slice(83)}`],
    ['of another caller', (proof) => proof.slice(0, 83) + 'a'.repeat(64) + proof.slice(147)],
    ['with another seal', (proof) => proof.slice(0, 147) + 'a'.repeat(64)],
    ['with more behind it', (proof) => `${proof}0`],
    ['cut short', (proof) => proof.slice(0, -1)],
    ['that is a tenant alone', () => acme],
  ])('enters by no proof that was not sealed: one %s', async (_, forge) => {
    await as(login, (client) =>
      within(client, () =>
        expect(
          client.query('SELECT tenancy.enter_as($1, false)', [forge(proofs.alice)]),
        ).rejects.toMatchObject(REFUSED),
      ),
    );
  });

  it('enters by no proof that has ended', async () => {
    const [sealed] = await database.query<{ proof: string }>(
      `SELECT content || identity.seal(k.key, content) AS proof
         FROM identity.proof_keys k, LATERAL (SELECT left($1, 73) || $2 || substr($1, 84, 64)) AS c (content)`,
      [proofs.alice, String(Math.floor(Date.now() / 1000) - 60)],
    );
    await as(login, (client) =>
      within(client, () =>
        expect(client.query('SELECT tenancy.enter_as($1, false)', [sealed!.proof])).rejects.toMatchObject(
          REFUSED,
        ),
      ),
    );
  });

  it('enters by no proof of a key that was replaced, such as one that was read in a backup', async () => {
    const [former] = await database.query<{ key: string }>('SELECT key::text FROM identity.proof_keys');
    await database.query(`UPDATE identity.proof_keys SET key = sha256('another')`);
    try {
      await as(login, (client) =>
        within(client, () =>
          expect(client.query('SELECT tenancy.enter_as($1, false)', [proofs.alice])).rejects.toMatchObject(
            REFUSED,
          ),
        ),
      );
    } finally {
      await database.query('UPDATE identity.proof_keys SET key = $1::bytea', [former!.key]);
    }
  });

  it('can neither read the key of proofs nor have a proof issued for a caller of its choice', async () => {
    await as(login, async (client) => {
      for (const statement of [
        'SELECT key FROM identity.proof_keys',
        `SELECT identity.issue_proof('${globex}', '${TEST_USERS.mallory.userId}', '')`,
        `SELECT identity.seal('\\x00', '')`,
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject(REFUSED);
      }
    });
  });

  it('gets a proof only of a caller whose issuer, subject and organisation it names', async () => {
    await as(login, async (client) => {
      const resolve = async (subject: string, organization: string) =>
        (
          await client.query<{ proof: string | null }>(
            'SELECT proof FROM identity.resolve_caller($1, $2, $3)',
            ['https://issuer.example', subject, organization],
          )
        ).rows;
      expect(await resolve('subject-of-mallory', 'org-globex')).toEqual([{ proof: expect.any(String) }]);
      expect(await resolve('somebody', 'org-globex')).toEqual([{ proof: null }]);
      expect(await resolve('subject-of-mallory', 'org-acme')).toEqual([{ proof: null }]);
    });
  });

  it("reads across tenants with an operations caller's proof, not with a company caller's", async () => {
    await as(login, (client) =>
      within(client, async () => {
        await client.query('SELECT tenancy.enter_as($1, true)', [proofs.alice]);
        expect((await client.query('SELECT tenancy.across()')).rows).toEqual([{ across: false }]);
      }),
    );
    await as(login, (client) =>
      within(client, async () => {
        await client.query('SELECT tenancy.enter_as($1, true)', [proofs.olga]);
        expect((await client.query('SELECT tenancy.across()')).rows).toEqual([{ across: true }]);
      }),
    );
  });

  it('writes no row of the trail without a valid proof of its caller', async () => {
    const row = {
      auditEventId: randomUUID(),
      tenantId: globex,
      erunUserId: TEST_USERS.mallory.userId,
      requestId: 'r',
      externalUserId: 's',
      externalIssuerId: 'i',
      type: 'API',
      apiMethod: 'GET',
      apiPath: '/v1/reviews',
    };
    await as(login, async (client) => {
      for (const [statement, rows] of [
        ['SELECT audit.record_requests($1)', [row]],
        ['SELECT audit.record_requests($1)', [{ ...row, proof: globex + proofs.alice.slice(36) }]],
      ] as const) {
        await expect(client.query(statement, [JSON.stringify(rows)])).rejects.toMatchObject(REFUSED);
      }
    });
    expect(await database.query('SELECT FROM audit.audit_events')).toEqual([]);
  });

  it('makes no table, schema, large object or function', async () => {
    await as(login, async (client) => {
      for (const statement of [
        'CREATE TEMP TABLE shadow ()',
        'CREATE TABLE public.shadow ()',
        'CREATE SCHEMA shadow',
        'SELECT lo_create(0)',
        `SELECT lo_from_bytea(0, '\\x00')`,
        'CREATE FUNCTION public.shadow() RETURNS int LANGUAGE sql RETURN 1',
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject(REFUSED);
      }
    });
  });

  it('cannot block a migration or the application of a directory', async () => {
    await as(login, async (client) => {
      // Every advisory lock that migrations ever used, and that of their runner.
      for (const key of [7_528_101, 7_528_102, 7_528_103, 7_241_865_325_823_964]) {
        await client.query('SELECT pg_advisory_lock($1)', [key]);
      }
      await within(client, () =>
        expect(client.query('LOCK TABLE migrations.running')).rejects.toMatchObject(REFUSED),
      );
      expect(await migrate(database.ownerUrl)).toEqual({ migrations: [], functions: [] });
      await applyDirectory(database.ownerUrl, testDirectory('https://issuer.example'));
    });
  });
});

describe('whoever has the login plat_reviews', () => {
  const asAlice = <T>(work: (client: Client) => Promise<T>) =>
    as('plat_reviews', (client) =>
      within(client, async () => {
        await client.query('SELECT tenancy.enter_as($1, false)', [proofs.alice]);
        return work(client);
      }),
    );
  const PROOF = JSON.stringify({
    remoteUrl: 'https://git.example/a',
    targetTip: COMMIT,
    commitId: COMMIT,
    sourceTip: COMMIT,
  });

  it('moves no review to MERGED through the queue that is not at MERGE and has no GATE build', async () => {
    await asAlice(async (client) => {
      const review = randomUUID();
      await client.query(
        `SELECT reviews.create_review($1, $2, $2, 'r', 'https://git.example/a', 'topic', 'main')`,
        [acme, review],
      );
      const accept = (build: string) =>
        client.query(
          `SELECT * FROM reviews.accept_queue_merge($1, $2, $3, gen_random_uuid(), 'https://git.example/a', 'https://git.example/a', $4)`,
          [acme, review, build, PROOF],
        );
      expect((await accept(randomUUID())).rows).toEqual([]);
    });
  });

  it('creates reviews whose author is the proven caller, even if it names another user', async () => {
    await asAlice(async (client) => {
      const review = randomUUID();
      const { rows } = await client.query<{ author_user_id: string }>(
        `SELECT * FROM reviews.create_review($1, $2, $3, 'r', NULL, 'topic', 'main')`,
        [acme, review, TEST_USERS.bob.userId],
      );
      expect(rows[0]!.author_user_id).toBe(TEST_USERS.alice.userId);
    });
  });

  it.each([null, 'a holder'])('creates no gate run with an id that exists, held by %p', async (holder) => {
    await asAlice(async (client) => {
      const run = randomUUID();
      const create = () =>
        client.query(
          `SELECT reviews.create_gate_run($1, $2, 'topic', 'main', $3, $3, NULL, 'RUNNING', NULL, NULL, $4)`,
          [acme, run, COMMIT, holder],
        );
      await create();
      await client.query(`SET LOCAL statement_timeout = '10s'`);
      await expect(create()).rejects.toMatchObject({ code: '23505', constraint: 'gate_runs_pkey' });
    });
  });

  it('reads no review of another tenant, whichever tenant it names', async () => {
    await asAlice(async (client) => {
      for (const tenant of [acme, globex]) {
        const { rows } = await client.query('SELECT * FROM reviews.get_review($1, $2)', [
          tenant,
          foreignReview,
        ]);
        expect(rows).toEqual([]);
      }
    });
  });
});

describe('whoever has the login plat_builds', () => {
  it('cannot move a review without recording a build', async () => {
    await as('plat_builds', async (client) => {
      for (const statement of [
        `SELECT reviews.apply_build('${acme}', '${foreignReview}', '${foreignReview}', 'RECORDED', true)`,
        `SELECT reviews.begin_build_report('${acme}', '${foreignReview}')`,
        `SELECT reviews.advance('${acme}', 'main', NULL, true)`,
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject(REFUSED);
      }
    });
  });
});

describe('whoever has the login plat_platform', () => {
  it("enrols a user in the operations tenant only with an operations caller's proof", async () => {
    const enrol = (proof: string) =>
      as('plat_platform', (client) =>
        within(client, async () => {
          await client.query('SELECT tenancy.enter_as($1, false)', [proof]);
          const { rows } = await client.query<{ tenant_id: string }>(
            `SELECT * FROM identity.create_user($1, gen_random_uuid(), 'intruder', NULL, NULL, '{}')`,
            [ops],
          );
          return rows[0]!.tenant_id;
        }),
      );
    expect(await enrol(proofs.alice)).toBe(acme);
    expect(await enrol(proofs.olga)).toBe(ops);
  });

  it('holds no deletion for longer than an hour, whatever lease and pause it asks for', async () => {
    const [environment, lease] = [randomUUID(), randomUUID()];
    const longest = 2 ** 31 - 1;
    const isDueSoon = async () =>
      database.query(
        `SELECT due_at <= clock_timestamp() + interval '1 hour' AS soon FROM environments.deletions`,
      );
    await as('plat_platform', async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT tenancy.enter_as($1, false)', [proofs.mallory]);
      await client.query(`SELECT environments.create_environment($1, $2, 'held', 'runtime', NULL)`, [
        globex,
        environment,
      ]);
      await client.query('SELECT environments.request_deletion($1, $2, NULL)', [globex, environment]);
      await client.query('COMMIT');
      await client.query('SELECT environments.claim_deletion_job($1, $2)', [lease, longest]);
      expect(await isDueSoon()).toEqual([{ soon: true }]);
      const held = [globex, environment, lease];
      await client.query('BEGIN');
      await client.query('SELECT tenancy.enter_as($1, false)', [proofs.mallory]);
      await client.query('SELECT environments.postpone_deletion($1, $2, $3, $4)', [...held, longest]);
      await client.query('COMMIT');
      expect(await isDueSoon()).toEqual([{ soon: true }]);
    });
    await database.query('DELETE FROM environments.environments WHERE environment_id = $1', [environment]);
  });

  it.each([
    ["that of another tenant's environment", '*.globex-dev.services.example'],
    ['one that only begins like its own', '*.acme-named2.services.example'],
    ['all of the services zone', '*.services.example'],
    ['its own without the zone', '*.acme-named'],
  ])('gives an environment no public name that is not below its namespace: %s', async (_, foreign) => {
    await as('plat_platform', (client) =>
      within(client, async () => {
        const environment = randomUUID();
        await client.query('SELECT tenancy.enter_as($1, false)', [proofs.alice]);
        await client.query(`SELECT environments.create_environment($1, $2, 'named', 'runtime', NULL)`, [
          acme,
          environment,
        ]);
        const expose = (hostname: string) =>
          client.query('SELECT * FROM environments.set_exposed_hostname($1, $2, $3)', [
            acme,
            environment,
            hostname,
          ]);
        expect((await expose('*.acme-named.services.example')).rowCount).toBe(1);
        await expect(expose(foreign)).rejects.toMatchObject({ code: 'PL001', message: 'CONFLICT' });
      }),
    );
  });

  it('requests and claims a deletion in the name of the proven caller, even if it names another user', async () => {
    await as('plat_platform', (client) =>
      within(client, async () => {
        await client.query('SELECT tenancy.enter_as($1, false)', [proofs.alice]);
        await client.query(`SELECT environments.create_environment($1, $2, 'doomed', 'runtime', NULL)`, [
          acme,
          foreignReview,
        ]);
        await client.query('SELECT environments.request_deletion($1, $2, $3)', [
          acme,
          foreignReview,
          TEST_USERS.bob.userId,
        ]);
        await client.query(`SELECT set_config('plat.proof', '', true)`);
        const { rows } = await client.query<{ requested_by: string; proof: string }>(
          'SELECT * FROM environments.claim_deletion_job(gen_random_uuid(), 60)',
        );
        expect(rows).toMatchObject([{ requested_by: TEST_USERS.alice.userId }]);
        expect(rows[0]!.proof.slice(0, 72)).toBe(acme + TEST_USERS.alice.userId);
      }),
    );
  });
});

it('docs/decisions/0017 has a row for every login', () => {
  const decision = readFileSync(
    join(__dirname, '../../../../docs/decisions/0017-a-login-that-is-taken-over.md'),
    'utf8',
  );
  const rows = Array.from(decision.matchAll(/^\| `(plat_\w+)` \| .+ \| .+ \|$/gm), ([, login]) => login);
  expect(rows.sort()).toEqual([...LOGINS].sort());
});
