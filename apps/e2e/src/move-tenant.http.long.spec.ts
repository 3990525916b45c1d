import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { applyDirectory, finishMove, LOGIN_ROLES, moveTenant, withOwner } from '@plat/database';
import { examineDatabase } from '@plat/invariants';
import {
  buildService,
  type CellDatabase,
  claimsOf,
  type ServiceProcess,
  startCell,
  startService,
  TEST_TENANTS,
  type TestCell,
  testDirectory,
  type TestUser,
  TokenIssuer,
} from '@plat/testing';

const API_URLS = ['https://one.example', 'https://two.example'] as const;
/** Reviews that each of the tenant's clients has made before the move and makes after it. */
const REVIEWS_BEFORE = 20;
const REVIEWS_AFTER = 10;
const CLIENTS = 4;

/** A cell: one PostgreSQL cluster with its five services. */
interface Cell {
  cluster: TestCell;
  database: CellDatabase;
  services: Record<ServiceName, ServiceProcess>;
}

interface Answer {
  status: number;
  code?: string;
  apiUrl?: string;
  reviewId?: string;
  retryAfter: string | null;
}

describe('a tenant that is moved to another cell while its clients write', () => {
  let issuer: TokenIssuer;
  let cells: [Cell, Cell];
  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    for (const name of SERVICES) await buildService(name);
    cells = [await start('one'), await start('two')];
  }, 240_000);
  afterAll(async () => {
    const processes = cells.flatMap(({ services }) => Object.values(services));
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ exited }) => exited));
    for (const { cluster, database } of cells) {
      await database.drop();
      await cluster.stop();
    }
    await issuer.stop();
  }, 60_000);

  async function start(which: 'one' | 'two'): Promise<Cell> {
    const cluster = await startCell();
    const database = await cluster.create();
    const directory = testDirectory(issuer.url);
    if (which === 'two') {
      const others = <Row extends { tenant: string }>(rows: Row[]) =>
        rows.filter(({ tenant }) => tenant !== 'acme');
      delete directory.issuers[0]!.organizations![TEST_TENANTS.acme.organization];
      directory.tenants = directory.tenants.filter(({ name }) => name !== 'acme');
      directory.roles = others(directory.roles);
      directory.users = others(directory.users);
      directory.environments = others(directory.environments);
    }
    await applyDirectory(database.ownerUrl, directory);
    const entries = await Promise.all(
      SERVICES.map(async (name) => {
        const settings = { DATABASE_URL: database.url(LOGIN_ROLES[name]), VERIFIER_ALLOW_LOCAL: 'true' };
        return [name, await startService(name, settings)] as const;
      }),
    );
    return { cluster, database, services: Object.fromEntries(entries) as Cell['services'] };
  }

  async function post(cell: Cell, user: TestUser, [service, path, body]: [ServiceName, string, object]) {
    const authorization = `Bearer ${await issuer.token(claimsOf(user))}`;
    const response = await fetch(cell.services[service].url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as {
      code?: string;
      reviewId?: string;
      details?: { apiUrl?: string };
    };
    return {
      status: response.status,
      code: answer.code,
      reviewId: answer.reviewId,
      apiUrl: answer.details?.apiUrl,
      retryAfter: response.headers.get('retry-after'),
    } satisfies Answer;
  }
  const review = (): [ServiceName, string, object] => {
    const name = randomUUID();
    return ['reviews', '/v1/reviews', { name, sourceBranch: name, targetBranch: 'main' }];
  };
  const build = (reviewId: string): [ServiceName, string, object] => {
    const report = { kind: 'RECORDED', successful: true, commitId: 'a'.repeat(40), version: '1.0.0' };
    return ['builds', `/v1/reviews/${reviewId}/builds`, report];
  };

  it('loses no acknowledged write, breaks no promise, disturbs no other tenant, and is refused for a moment only', async () => {
    const { acme } = TEST_TENANTS;
    const made = { reviews: [] as string[], builds: [] as string[] };
    const refusals: { at: number; code: string }[] = [];
    const servedAt: Record<string, number> = {};
    const failures: Answer[] = [];
    let after = 0;
    let begun = 0;

    /** Follows the platform as a client does: it repeats what was refused, where TENANT_MOVED says. */
    async function request(at: { cell: number }, request: [ServiceName, string, object]): Promise<Answer> {
      for (;;) {
        const answer = await post(cells[at.cell]!, 'alice', request);
        if (answer.status < 300) {
          servedAt[at.cell] ??= performance.now();
          return answer;
        }
        if (answer.code !== 'TENANT_MOVING' && answer.code !== 'TENANT_MOVED') {
          failures.push(answer);
          return answer;
        }
        refusals.push({ at: performance.now(), code: answer.code });
        if (answer.code === 'TENANT_MOVED') {
          at.cell = API_URLS.indexOf(answer.apiUrl as (typeof API_URLS)[number]);
        } else {
          expect(answer.retryAfter).toBe('2');
          await delay(50);
        }
      }
    }
    const client = async (): Promise<void> => {
      const at = { cell: 0 };
      for (let times = 0; after < CLIENTS * REVIEWS_AFTER; times++) {
        const { reviewId } = await request(at, review());
        if (reviewId === undefined) return;
        made.reviews.push(reviewId);
        const { status } = await request(at, build(reviewId));
        if (status < 300) made.builds.push(reviewId);
        if (times === REVIEWS_BEFORE) begun += 1;
        if (at.cell === 1) after += 1;
      }
    };
    let moving = true;
    const others: number[] = [];
    const bystander = async (cell: Cell): Promise<void> => {
      while (moving) others.push((await post(cell, 'mallory', review())).status);
    };

    const bystanders = cells.map((cell) => bystander(cell));
    const clients = Array.from({ length: CLIENTS }, client);
    while (begun < CLIENTS && failures.length === 0) await delay(20);
    const refusedMs = await withOwner(cells[0].database.ownerUrl, (from) =>
      withOwner(cells[1].database.ownerUrl, (to) =>
        moveTenant({ from, to, replicationUrl: cells[0].database.ownerUrl }, 'acme', { apiUrl: API_URLS[1] }),
      ),
    );
    await Promise.all(clients);
    moving = false;
    await Promise.all(bystanders);

    expect(failures).toEqual([]);
    expect([...new Set(others)]).toEqual([201]);
    const ids = async (sql: string) =>
      new Set((await cells[1].database.query<{ id: string }>(sql, [acme.tenantId])).map(({ id }) => id));
    const kept = await ids('SELECT review_id AS id FROM reviews.reviews WHERE tenant_id = $1');
    expect(made.reviews.filter((id) => !kept.has(id))).toEqual([]);
    const built = await ids('SELECT review_id AS id FROM builds.builds WHERE tenant_id = $1');
    expect(made.builds.filter((id) => !built.has(id))).toEqual([]);
    expect(refusals.some(({ code }) => code === 'TENANT_MOVED')).toBe(true);
    for (const { database } of cells) expect(await examineDatabase(database.ownerUrl)).toEqual([]);

    await withOwner(cells[0].database.ownerUrl, (from) =>
      withOwner(cells[1].database.ownerUrl, (to) =>
        finishMove({ from, to, replicationUrl: cells[0].database.ownerUrl }, 'acme'),
      ),
    );
    expect(
      await cells[0].database.query('SELECT FROM reviews.reviews WHERE tenant_id = $1', [acme.tenantId]),
    ).toEqual([]);
    expect((await post(cells[0], 'alice', review())).code).toBe('TENANT_UNRESOLVED');
    expect((await post(cells[0], 'mallory', review())).status).toBe(201);
    for (const { database } of cells) expect(await examineDatabase(database.ownerUrl)).toEqual([]);

    const first = refusals[0]?.at ?? 0;
    process.stdout.write(
      `moved a tenant with ${made.reviews.length} acknowledged reviews: refused for ${Math.round(refusedMs)} ms by the ` +
        `command's clock, ${Math.round(servedAt[1]! - first)} ms from the first refusal to the first answer of the new ` +
        `cell; ${others.length} requests of other tenants, none refused\n`,
    );
  }, 180_000);
});
