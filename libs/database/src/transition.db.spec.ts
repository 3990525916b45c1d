import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { NEW_BUILD_ID, TEST_TENANTS, TEST_USERS, testDirectory } from '@plat/testing';
import { applyDirectory } from './apply-directory';
import { LOGIN_ROLES, setLoginPasswords } from './logins';
import { endTransition, isInTransition, migrate, SOURCE_MIGRATIONS } from './migrate';
import { withShortLocks } from './short-locks';

/** The last file of the release before proofs. */
const RELEASE_BEFORE = '0019';
const ACME = TEST_TENANTS.acme.tenantId;
const ALICE = TEST_USERS.alice.userId;
const OPS = TEST_TENANTS.ops.tenantId;
const OLGA = TEST_USERS.olga.userId;
const PASSWORD = 'test';
const COMMIT = 'a'.repeat(40);

const clusterUrl = process.env.PLAT_TEST_DATABASE_URL!;
const name = `test_${randomBytes(6).toString('hex')}`;
const ownerUrl = Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).toString();

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Makes a database with the schema and a tenant of the release before, and migrates it to the present schema. */
beforeAll(async () => {
  await connected(clusterUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const migrationsDir = mkdtempSync(join(tmpdir(), 'plat-migrations-'));
  for (const file of readdirSync(SOURCE_MIGRATIONS.migrationsDir)) {
    if (file.slice(0, 4) <= RELEASE_BEFORE) {
      copyFileSync(join(SOURCE_MIGRATIONS.migrationsDir, file), join(migrationsDir, file));
    }
  }
  await migrateAlone({ migrationsDir });
  rmSync(migrationsDir, { recursive: true });
  await connected(ownerUrl, (client) =>
    client.query(`SET ROLE plat_identity_owner; INSERT INTO identity.tenants (tenant_id, name, kind)
                  VALUES ('${ACME}', 'acme', 'company')`),
  );
  await migrate(ownerUrl);
  await applyDirectory(ownerUrl, testDirectory('https://issuer.example'));
  // All tests of the run share the roles, so this sets the passwords that they already have.
  await setLoginPasswords(
    ownerUrl,
    Object.fromEntries(Object.values(LOGIN_ROLES).map((role) => [role, PASSWORD])),
  );
}, 60_000);
afterAll(() => connected(clusterUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));

/** Applies the files and nothing else, because the later steps of `migrate` need the present schema. */
async function migrateAlone(source: { migrationsDir: string }): Promise<void> {
  const { runner } = await import('node-pg-migrate');
  const silent = () => undefined;
  await connected(ownerUrl, (client) =>
    withShortLocks(client, () =>
      runner({
        dbClient: client,
        dir: source.migrationsDir,
        direction: 'up',
        migrationsSchema: 'migrations',
        migrationsTable: 'applied',
        createMigrationsSchema: true,
        log: silent,
        logger: { debug: silent, info: silent, warn: silent, error: silent },
      }),
    ),
  );
}

const as = <T>(login: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const url = Object.assign(new URL(ownerUrl), { username: login, password: PASSWORD });
  return connected(url.toString(), work);
};

/** Runs statements in one transaction, which enters a tenant in the way of the release before. */
async function within(
  login: string,
  statements: [string, unknown[]][],
  across = false,
): Promise<unknown[][]> {
  return as(login, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT tenancy.enter($1, $2, $3)', across ? [OPS, OLGA, true] : [ACME, ALICE, false]);
    const answers: unknown[][] = [];
    for (const [text, values] of statements) answers.push((await client.query(text, values)).rows);
    await client.query('COMMIT');
    return answers;
  });
}

const LOCKED = '(SELECT r FROM reviews.reviews r WHERE r.tenant_id = $1 AND r.review_id = $2)';

/** Returns the statements that each service of the release before sends, by their purpose. */
function worksBefore(): [string, () => Promise<unknown>][] {
  const [review, comment] = [randomUUID(), randomUUID()];
  const key = [ACME, review];
  const report = (successful: boolean): [string, unknown[]] => [
    `SELECT * FROM builds.report_review_build($1, $2, ${NEW_BUILD_ID}, 'RECORDED', $3, $4, '1.0.0', NULL, NULL)`,
    [...key, successful, COMMIT],
  ];
  const row = {
    tenantId: ACME,
    auditEventId: randomUUID(),
    requestId: 'r',
    erunUserId: ALICE,
    externalUserId: 's',
    externalIssuerId: 'i',
    type: 'API',
    apiMethod: 'GET',
    apiPath: '/v1/reviews',
  };
  const propose = `SELECT * FROM reviews.create_review($1, $2, $3, $4, NULL, $5, 'main')`;
  const open: [string, unknown[]] = [propose, [...key, ALICE, review, review]];
  return [
    [
      'who asks',
      () =>
        as('plat_audit', (client) =>
          client.query('SELECT * FROM identity.resolve($1, $2, $3)', [
            'https://issuer.example',
            'subject-of-alice',
            'org-acme',
          ]),
        ),
    ],
    [
      'the trail',
      () => as('plat_platform', (client) => client.query('SELECT audit.record($1)', [JSON.stringify([row])])),
    ],
    [
      'a review and its reading',
      () =>
        within('plat_reviews', [
          open,
          ['SELECT * FROM reviews.get_review($1, $2)', key],
          ['SELECT * FROM reviews.list_reviews($1, NULL, NULL, NULL, NULL, NULL, NULL)', [ACME]],
        ]),
    ],
    ['a build, which moves it', () => within('plat_builds', [report(true)])],
    [
      'a requeue and a close under its lock',
      () =>
        within('plat_reviews', [
          ['SELECT * FROM reviews.lock_review($1, $2)', key],
          [`SELECT * FROM reviews.make_ready(${LOCKED}, NULL)`, key],
          [`SELECT * FROM reviews.close(${LOCKED})`, key],
        ]),
    ],
    [
      'a thread',
      () =>
        within('plat_reviews', [
          ['SELECT reviews.hold_review($1, $2)', key],
          [
            `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, status, commit_id, file_path, line, body)
           VALUES ($1, $3, $2, $4, 'OPEN', $5, 'a', 1, 'why?') RETURNING *`,
            [...key, comment, ALICE, COMMIT],
          ],
          [
            `UPDATE reviews.comments SET status = 'CLOSED' WHERE tenant_id = $1 AND comment_id = $2`,
            [ACME, comment],
          ],
        ]),
    ],
    [
      'a reviewer',
      () =>
        within('plat_reviews', [
          [
            'INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES ($1, $2, $3)',
            [...key, ALICE],
          ],
          ['DELETE FROM reviews.reviewers WHERE tenant_id = $1 AND review_id = $2', key],
        ]),
    ],
    [
      'a read across tenants',
      () =>
        within(
          'plat_reviews',
          [
            ['SELECT * FROM reviews.get_review($1, $2)', [OPS, review]],
            ['SELECT * FROM reviews.comments WHERE review_id = $1', [review]],
          ],
          true,
        ),
    ],
    [
      'a release',
      () =>
        within('plat_releases', [
          ['SELECT * FROM releases.enqueue($1, gen_random_uuid(), NULL, $2, $3)', [ACME, 'main', COMMIT]],
          ['SELECT * FROM releases.list_releases($1, NULL, NULL, NULL)', [ACME]],
        ]),
    ],
    [
      'an environment and its deletion',
      () =>
        within('plat_platform', [
          [`SELECT * FROM environments.create_environment($1, $2, 'e', 'runtime', NULL)`, key],
          ['SELECT * FROM environments.list_environments($1)', [ACME]],
          ['SELECT * FROM environments.request_deletion($1, $2, $3)', [...key, ALICE]],
        ]),
    ],
    [
      'the next deletion',
      () =>
        as('plat_platform', (client) =>
          client.query('SELECT * FROM environments.claim_deletion(gen_random_uuid(), 60)'),
        ),
    ],
  ];
}

describe('while replicas of the release before may still serve', () => {
  it('each of its statements works on the schema of today', async () => {
    expect(await isInTransition(ownerUrl)).toBe(true);
    for (const [what, work] of worksBefore()) {
      expect([what, await work().then(() => 'works', String)]).toEqual([what, 'works']);
    }
  });

  it('the moves that those statements made are logged in order', async () => {
    const rows = await connected(ownerUrl, (client) =>
      client.query('SELECT move FROM reviews.queue_moves ORDER BY version'),
    );
    expect(rows.rows).toEqual(['ready', 'promote', 'requeue', 'close'].map((move) => ({ move })));
  });

  it('another run of the migrations does not end the transition', async () => {
    expect(await migrate(ownerUrl)).toEqual([]);
    expect(await isInTransition(ownerUrl)).toBe(true);
  });
});

describe('once the last of them has gone', () => {
  /** A digest of each table that one of the statements would change. */
  const everything = () =>
    connected(ownerUrl, async (client) => {
      const tables = ['reviews.reviews', 'reviews.comments', 'reviews.queue_moves', 'builds.builds'];
      tables.push(
        'audit.audit_events',
        'releases.releases',
        'environments.environments',
        'environments.deletions',
      );
      const digests = tables.map(
        (table) => `(SELECT md5(string_agg(t::text, ';' ORDER BY t::text)) FROM ${table} t)`,
      );
      return (await client.query({ text: `SELECT ${digests.join(', ')}`, rowMode: 'array' })).rows;
    });

  it('the transition ends, also if it is ended twice, and then none of the statements changes a row', async () => {
    await endTransition(ownerUrl);
    await endTransition(ownerUrl);
    expect(await isInTransition(ownerUrl)).toBe(false);
    const before = await everything();
    const refused: string[] = [];
    for (const [what, work] of worksBefore()) await work().catch(() => refused.push(what));
    expect(await everything()).toEqual(before);
    // A report about a review that is not there is answered with no row.
    expect(refused).toEqual(
      worksBefore()
        .map(([what]) => what)
        .filter((what) => what !== 'a build, which moves it'),
    );
  });
});
