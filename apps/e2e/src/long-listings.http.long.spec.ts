import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ReviewScene, startTestService, TEST_TENANTS, TEST_USERS, type TestService } from '@plat/testing';
import { ALL_SERVICES } from './all-services';
import { seedListings, seedReviews, seedWaiting } from './long-listings.seed';

const { tenantId } = TEST_TENANTS.acme;
const { userId } = TEST_USERS.alice;
/** More than one page of every listing, and no multiple of a page. */
const ROWS = 650;

/** Spec: API, Limits, rule 1: these listings are unpaginated. The service still reads them in pages. */
describe('a listing of any length', () => {
  let service: TestService;
  let reviewId: string;
  beforeAll(async () => {
    service = await startTestService(...ALL_SERVICES);
    reviewId = await new ReviewScene(service).open();
    await seedListings(service.database, { tenantId, userId, reviewId, rows: ROWS });
  }, 60_000);
  afterAll(() => service.stop());

  const list = async (path: string, user: 'alice' | 'olga' = 'alice') => {
    const { status, body } = await service.send(user, `GET ${path as '/'}`);
    expect(status).toBe(200);
    return body as Record<string, unknown>[];
  };

  it.each<[string, () => string, string, string]>([
    [
      'reviews',
      () => '/v1/reviews',
      'reviewId',
      `SELECT review_id AS id FROM reviews.reviews WHERE tenant_id = $1
       ORDER BY created_at DESC, review_id DESC`,
    ],
    [
      "a review's builds",
      () => `/v1/reviews/${reviewId}/builds`,
      'buildId',
      `SELECT build_id AS id FROM builds.builds
       WHERE tenant_id = $1 AND review_id = $2 ORDER BY created_at DESC, build_id DESC`,
    ],
    [
      "a review's comments",
      () => `/v1/reviews/${reviewId}/comments`,
      'commentId',
      `SELECT comment_id AS id
       FROM reviews.comments WHERE tenant_id = $1 AND review_id = $2
       ORDER BY commit_id, file_path, line, created_at, comment_id`,
    ],
    [
      "a review's reviewers",
      () => `/v1/reviews/${reviewId}/reviewers`,
      'userId',
      `SELECT user_id AS id
       FROM reviews.reviewers WHERE tenant_id = $1 AND review_id = $2 ORDER BY created_at, user_id`,
    ],
    [
      "a review's releases",
      () => `/v1/reviews/${reviewId}/releases`,
      'releaseId',
      `SELECT release_id AS id
       FROM releases.releases WHERE tenant_id = $1 AND review_id = $2 ORDER BY created_at DESC, release_id DESC`,
    ],
    [
      'releases',
      () => '/v1/releases',
      'releaseId',
      `SELECT release_id AS id FROM releases.releases
       WHERE tenant_id = $1 ORDER BY created_at DESC, release_id DESC`,
    ],
    [
      'environments',
      () => '/v1/environments',
      'environmentId',
      `SELECT environment_id AS id
       FROM environments.environments WHERE tenant_id = $1 ORDER BY name, environment_id`,
    ],
    [
      'users',
      () => '/v1/users',
      'userId',
      `SELECT user_id AS id FROM identity.users WHERE tenant_id = $1
       ORDER BY username, user_id`,
    ],
    [
      'roles',
      () => '/v1/roles',
      'roleId',
      `SELECT role_id AS id FROM identity.roles WHERE tenant_id = $1
       ORDER BY name, role_id`,
    ],
  ])('has every row once, in its order: %s', async (_, path, field, sql) => {
    const args = [tenantId, reviewId];
    const rows = await service.database.query<{ id: string }>(sql, args.slice(0, sql.includes('$2') ? 2 : 1));
    const listed = (await list(path())).map((item) => item[field]);
    expect(listed.length).toBeGreaterThanOrEqual(ROWS / 10);
    expect(listed).toEqual(rows.map(({ id }) => id));
    // The operations tenant reads the same rows among those of all tenants.
    const across = (await list(path(), 'olga')).map((item) => item[field]);
    expect(across.filter((id) => listed.includes(id))).toEqual(listed);
    expect(new Set(across).size).toBe(across.length);
  });

  it('has every waiting review once, in queue order', async () => {
    const scene = new ReviewScene(service);
    await seedWaiting(service.database, { tenantId, userId, target: scene.targetBranch, rows: ROWS });
    const rows = await service.database.query<{ id: string }>(
      `SELECT review_id AS id FROM reviews.reviews WHERE target_branch = $1 ORDER BY ticket`,
      [scene.targetBranch],
    );
    expect(rows).toHaveLength(ROWS);
    expect(await scene.line()).toEqual(rows.map(({ id }) => id));
  });

  it('holds no database connection while a client reads the answer slowly', async () => {
    await seedReviews(service.database, { tenantId, userId, target: 'many', rows: 20_000 });
    const authorization = await service.bearer('alice');
    const readers = Array.from(
      { length: 12 },
      () => new SlowReader(service.url, '/v1/reviews', authorization),
    );
    await Promise.all(readers.map((reader) => reader.waitForAnswer()));
    const busy = async () =>
      service.database.query(
        `SELECT state FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'plat-%' AND state <> 'idle'`,
      );
    while ((await busy()).length > 0) await new Promise(setImmediate);
    expect((await service.send('mallory', 'GET /v1/reviews')).status).toBe(200);
    for (const reader of readers) reader.leave();
  });
});

/** A client that receives only what its socket buffers, and reads no further. */
class SlowReader {
  private readonly socket: Socket;

  constructor(url: string, path: string, authorization: string) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', highWaterMark: 1 } as never);
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`,
    );
  }

  /** Resolves when the answer has begun. */
  async waitForAnswer(): Promise<void> {
    await once(this.socket, 'readable');
  }

  leave(): void {
    this.socket.destroy();
  }
}
