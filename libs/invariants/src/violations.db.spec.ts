import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { applyDirectory } from '@plat/database';
import {
  createTestDatabase,
  proveScope,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { examineDatabase, findViolations, INVARIANTS } from './violations';

const tenant = TEST_TENANTS.acme.tenantId;
const repository = 'https://git.example/acme/app';
const commit = 'a'.repeat(40);

/** Connects as the owner, with the proof of a caller: published functions need the tenant for row-level security. */
const CALLER = {
  issuer: 'https://issuer.example',
  subject: 's',
  organization: TEST_TENANTS.acme.organization,
};

async function connectAsAlice(database: TestDatabase): Promise<Client> {
  const { proof } = await proveScope(database, 'alice', CALLER);
  const client = new Client({ connectionString: database.ownerUrl, options: `-c plat.proof=${proof}` });
  await client.connect();
  return client;
}

/** Makes each kind of event once, by the product's own functions. */
async function makeEvents(client: Client): Promise<void> {
  const merged = await review(client, 'merged');
  await build(client, merged, { kind: 'RECORDED', successful: true });
  const gate = await build(client, merged, { kind: 'GATE', successful: true });
  const proof = JSON.stringify({
    remoteUrl: repository,
    targetTip: commit,
    commitId: commit,
    anchorCommitId: null,
  });
  const report = [tenant, merged, gate, randomUUID(), repository, repository, proof];
  await client.query('SELECT reviews.accept_queue_merge($1, $2, $3, $4, $5, $6, $7)', report);
  for (const name of ['promoted', 'waiting', 'last']) {
    await build(client, await review(client, name), { kind: 'RECORDED', successful: true });
  }
  await build(client, await review(client, 'failed'), { kind: 'RECORDED', successful: false });
  await review(client, 'open');
  await runReleases(client);
  const run = [tenant, randomUUID(), 'topic', 'main', commit, commit, null, 'RUNNING', null, null];
  await client.query('SELECT reviews.create_gate_run($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', run);
  const { rows } = await client.query<{ proof: string }>(`SELECT current_setting('plat.proof') AS proof`);
  const event = { proof: rows[0]!.proof, auditEventId: randomUUID(), requestId: 'q' };
  const caller = {
    externalUserId: CALLER.subject,
    externalIssuerId: CALLER.issuer,
    externalOrgId: CALLER.organization,
    type: 'API',
    apiMethod: 'GET',
    apiPath: '/v1/reviews',
  };
  await client.query('SELECT audit.record_requests($1)', [JSON.stringify([{ ...event, ...caller }])]);
  await client.query(SEAL);
}

/** The audit service's statement of each second, with some key. A log's first sealing takes every row that is there. */
const SEAL = `SELECT ledger.seal_due('plat.example', ARRAY[sha256('key')], 1, 0, 1000)`;

/** Makes three releases: the merge's, which is released; one that failed and is queued again; and one that waits. */
async function runReleases(client: Client): Promise<void> {
  const enqueue = (commitId: string) =>
    client.query('SELECT releases.enqueue($1, gen_random_uuid(), NULL, $2, $3)', [tenant, 'main', commitId]);
  const run = (version: string | null, reason: string | null) =>
    client.query(
      `SELECT releases.finish($1, c.release_id, c.attempt, $2, NULL, $3) FROM releases.claim($1, '0 seconds') AS c`,
      [tenant, version, reason],
    );
  await enqueue('d'.repeat(40));
  await enqueue('e'.repeat(40));
  await run('1.0.0', null);
  await run(null, 'no disk');
  await enqueue('d'.repeat(40));
}

async function review(client: Client, name: string): Promise<string> {
  const id = randomUUID();
  const args = [tenant, id, TEST_USERS.alice.userId, name, repository, `feature/${name}`, 'main'];
  await client.query('SELECT reviews.create_review($1, $2, $3, $4, $5, $6, $7)', args);
  return id;
}

interface BuildOutcome {
  kind: 'RECORDED' | 'GATE';
  successful: boolean;
}

async function build(client: Client, reviewId: string, { kind, successful }: BuildOutcome): Promise<string> {
  const id = newId();
  const [version, detail] = [kind === 'RECORDED' ? '1.0.0' : null, successful ? null : 'red'];
  const args = [tenant, reviewId, id, kind, successful, commit, version, detail, null];
  await client.query('SELECT builds.report_review_build($1, $2, $3, $4, $5, $6, $7, $8, $9)', args);
  return id;
}

/** Removes the triggers, constraints and indexes that would refuse what a case writes. */
const LIFT_CONSTRAINTS = `
  ALTER TABLE reviews.reviews DISABLE TRIGGER USER; ALTER TABLE reviews.queues DISABLE TRIGGER USER;
  ALTER TABLE reviews.queue_moves DISABLE TRIGGER USER; ALTER TABLE reviews.verifications DISABLE TRIGGER USER;
  DO $$ DECLARE k record; BEGIN
    FOR k IN SELECT c.conrelid::regclass AS t, c.conname FROM pg_constraint c
              WHERE c.contype IN ('c', 'f') AND c.coninhcount = 0 AND c.conparentid = 0 AND c.conrelid <> 0
                AND c.connamespace::regnamespace::text IN ('reviews', 'builds', 'releases', 'audit')
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.t, k.conname); END LOOP;
  END $$;
  DROP INDEX reviews.reviews_live_name, reviews.reviews_live_pair, reviews.reviews_one_merge, reviews.reviews_line,
             reviews.reviews_merge_order, releases.releases_one_running;
  ALTER TABLE releases.releases DROP CONSTRAINT releases_tenant_id_commit_id_key;`;

const update = (name: string, assignment: string) =>
  `UPDATE reviews.reviews SET ${assignment} WHERE name = '${name}';`;
const builds = (condition: string, assignment: string) =>
  `UPDATE builds.builds SET ${assignment} WHERE ${condition};`;
const ofReview = (name: string) =>
  `review_id = (SELECT review_id FROM reviews.reviews WHERE name = '${name}')`;
const copyRelease = (columns: string) =>
  `INSERT INTO releases.releases (tenant_id, release_id, target_branch, commit_id, ${columns.split('=')[0]})
   SELECT tenant_id, gen_random_uuid(), 'main', commit_id, ${columns.split('=')[1]} FROM releases.releases;`;

/** For each promise, statements that break it. They may break other promises too. */
const BREAKERS: Record<string, string> = {
  'at most one review is at MERGE per tenant, repository and target': update('waiting', `status = 'MERGE'`),
  'the promoted review had the smallest ticket of its queue': `UPDATE reviews.queue_moves SET ticket = 0 WHERE move = 'ready' AND ${ofReview('waiting')};
     UPDATE reviews.queue_moves SET version = -1 WHERE move = 'ready' AND ${ofReview('waiting')};`,
  'a review that enters READY takes the largest ticket of its queue, also by a requeue': `UPDATE reviews.queue_moves SET ticket = 1 WHERE move = 'ready' AND ${ofReview('last')};`,
  'every move raised the version of its queue by one, and is in its log': `UPDATE reviews.queues SET version = 99;`,
  "a review's status is where its last move took it": update('open', `status = 'READY'`),
  'MERGED and CLOSED are never left': `UPDATE reviews.queue_moves SET version = 0 WHERE move = 'merge' AND ${ofReview('merged')};`,
  'a review has a ticket exactly while it is READY: that of its last entry': update('open', 'ticket = 7'),
  'a move of a review begins where the one before it has ended': `UPDATE reviews.queue_moves SET move = 'requeue' WHERE move = 'ready' AND ${ofReview('last')};`,
  'a move names the build that caused it: of this review, with the outcome and the kind of the cause': `UPDATE reviews.queue_moves SET cause = 'GATE_FAILED' WHERE move = 'fail';`,
  "a review's builds are those of its last moves": `UPDATE reviews.queue_moves SET build_id = gen_random_uuid() WHERE move = 'merge';`,
  'a move was made by a user of its tenant':
    'UPDATE reviews.queue_moves SET actor_user_id = gen_random_uuid();',
  'the moves of a cause in a queue are numbered without a gap':
    'UPDATE reviews.queue_moves SET nth = nth + 1;',
  'a live name is unique in its repository': update('open', `name = 'waiting'`),
  'a live pair of branches is unique in its repository': update('open', `source_branch = 'feature/waiting'`),
  'READY rests on a successful build of this very review': builds(ofReview('waiting'), 'successful = false'),
  'FAILED rests on a failed build of this very review': builds(ofReview('failed'), 'successful = true'),
  'a merge through the queue has a successful GATE build of this very review, of the commit that landed':
    builds(`kind = 'GATE'`, `commit_id = repeat('b', 40)`),
  'MERGED has a verification record with the proof of the merge, and no other status has one':
    'DELETE FROM reviews.verifications;',
  'MERGED has one verdict on the landed content, and only UNKNOWN may lack the commit': `ALTER TABLE reviews.verifications ALTER content_verdict DROP NOT NULL; UPDATE reviews.verifications SET content_verdict = NULL;`,
  'a merge through the queue was anchored at the one before it on the same target and repository': `UPDATE reviews.verifications SET anchor_commit_id = repeat('c', 40);`,
  'a merge through the queue has a release, or the reason why none could be queued':
    'DELETE FROM releases.releases;',
  'a build has exactly one of review and environment, and the name of that one': builds(
    ofReview('waiting'),
    `environment_id = '${TEST_ENVIRONMENTS['acme/dev']}'`,
  ),
  'a GATE build has a review and no version, a RECORDED build has a version': builds(
    `kind = 'GATE'`,
    `version = '1.0.0'`,
  ),
  'at most one release runs per tenant': `${copyRelease(`status='running'`)} UPDATE releases.releases SET status = 'running';`,
  'a commit has at most one release': copyRelease(`status='queued'`),
  'a release has a version exactly when released, a reason exactly when failed, and counts its attempts': `UPDATE releases.releases SET version = '1.0.0';`,
  'releases are claimed first in, first out': copyRelease('started_at=clock_timestamp()'),
  'a gate run names the commit it tested unless FAILED or INCONCLUSIVE, and FAILED the step that failed': `UPDATE reviews.gate_runs SET merge_commit = NULL;`,
  'an environment is deleting exactly while a job is there for it, and has a reason exactly when blocked': `UPDATE environments.environments SET status = 'deleting';`,
  'an audit row names a route template of the table, never a concrete path': `UPDATE audit.audit_events SET api_path = '/v1/reviews/0190';`,
  "an audit row's user is one of the row's tenant":
    'UPDATE audit.audit_events SET erun_user_id = gen_random_uuid();',
  'the row or the landing of a sealed entry says what was sealed, hidden fields included': `UPDATE audit.audit_events SET request_id = 'another';`,
  'the entries, tiles, size and root of a sealed log fit together':
    'DELETE FROM ledger.entries WHERE leaf_index = 1;',
  'no two rows of the trail of a tenant have one id': `
     INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
       type, api_method, api_path, created_at)
     SELECT tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, type, api_method,
            api_path, created_at + interval '1 second' FROM audit.audit_events;`,
  'a log is not sealed on for more than a minute past a row, a landing or an erasure that is not in it': `
     INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
       type, api_method, api_path, created_at)
     SELECT tenant_id, gen_random_uuid(), request_id, erun_user_id, external_user_id, external_issuer_id, type, api_method,
            api_path, created_at - interval '2 minutes' FROM audit.audit_events;`,
  'every tenant table has row-level security enabled and forced, with USING and WITH CHECK':
    'ALTER TABLE reviews.comments NO FORCE ROW LEVEL SECURITY;',
  'a row and its parent belong to one tenant: every foreign key between tenant tables carries the tenant': `ALTER TABLE reviews.comments ADD UNIQUE (comment_id), ADD FOREIGN KEY (parent_comment_id) REFERENCES reviews.comments (comment_id);`,
  'no service role is a superuser, bypasses row-level security or can act as an owner of tables':
    'ALTER TABLE reviews.comments OWNER TO plat_reviews;',
  'builds, the audit trail and verification records are append-only for every service role':
    'GRANT DELETE ON audit.audit_events TO plat_audit;',
  'a published function has a fixed search path and no more rights than a table owner':
    'ALTER FUNCTION audit.record_requests(jsonb) RESET search_path;',
  'every constraint is validated, and every index usable': `ALTER TABLE reviews.comments ADD CONSTRAINT late CHECK (line > 0) NOT VALID;`,
};

const ROW_BY_HAND = (values: string) => `
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
    type, api_method, api_path, created_at, written_in)
  SELECT tenant_id, ${values} FROM audit.audit_events LIMIT 1;`;
const OF_THE_CALLER =
  'request_id, erun_user_id, external_user_id, external_issuer_id, type, api_method, api_path';

/** Further violations that a promise covers: the name of each, the statement that makes it, and the promise. */
const BY_HAND: readonly [string, string, RegExp][] = [
  [
    'a row put in as of a transaction that was sealed long ago',
    ROW_BY_HAND(`gen_random_uuid(), ${OF_THE_CALLER}, created_at - interval '2 minutes', '10'`),
    /^a log is not sealed on for more than a minute past a row/,
  ],
  [
    'a row put in under the id of a sealed one',
    ROW_BY_HAND(`audit_event_id, ${OF_THE_CALLER}, created_at - interval '2 minutes', '10'`),
    /^a log is not sealed on for more than a minute past a row/,
  ],
  [
    'a checkpoint of another tree',
    `UPDATE ledger.logs SET note_size = size, note_keys = keys,
            note = ledger.checkpoint_text(origin, size, sha256('another')) || '— x y' || E'\n';`,
    /^the entries, tiles, size and root of a sealed log fit together/,
  ],
];

describe('the invariants', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    await applyDirectory(database.ownerUrl, testDirectory(CALLER.issuer));
    client = await connectAsAlice(database);
    await makeEvents(client);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('all hold in a database in which everything has happened', async () => {
    expect(await database.query('SELECT name, status FROM reviews.reviews ORDER BY created_at')).toEqual([
      { name: 'merged', status: 'MERGED' },
      { name: 'promoted', status: 'MERGE' },
      { name: 'waiting', status: 'READY' },
      { name: 'last', status: 'READY' },
      { name: 'failed', status: 'FAILED' },
      { name: 'open', status: 'OPEN' },
    ]);
    expect(await examineDatabase(database.ownerUrl)).toEqual([]);
  });

  it.each(INVARIANTS.map(({ promise }) => promise))('report a violation of: %s', async (promise) => {
    await client.query('BEGIN');
    await client.query(`${LIFT_CONSTRAINTS} ${BREAKERS[promise]}`);
    const found = await findViolations(client);
    await client.query('ROLLBACK');
    expect(found.map((violation) => violation.promise)).toContain(promise);
  });

  it.each(BY_HAND)('find %s', async (_what, sql, promise) => {
    await client.query('BEGIN');
    await client.query(`${LIFT_CONSTRAINTS} ${sql}`);
    const found = await findViolations(client);
    await client.query('ROLLBACK');
    expect(found).toContainEqual(
      expect.objectContaining({ promise: expect.stringMatching(promise) as unknown }),
    );
  });

  it("are not for a service's login, which sees no row of any tenant", async () => {
    await expect(examineDatabase(database.url('plat_audit'))).rejects.toThrow('permission denied');
  });
});
