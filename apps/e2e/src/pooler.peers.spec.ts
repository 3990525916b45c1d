/**
 * @peers pgbouncer
 * @paths apps/reviews libs
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { reviewsService } from '@plat/reviews';
import {
  type Pooler,
  startPooler,
  startTestService,
  TEST_TENANTS,
  type TestService,
  type TestUser,
} from '@plat/testing';

/** Readers at once; the pooler has two connections to the database. */
const READERS = 40;

describe('the services behind a pooler in transaction mode, with more clients than connections', () => {
  let pooler: Pooler;
  let service: TestService;
  const databasePort = () => Number(new URL(process.env.PLAT_TEST_DATABASE_URL!).port);
  beforeAll(async () => {
    pooler = await startPooler(databasePort());
    // Services that this file starts from here on get the pooler's address.
    process.env.PLAT_TEST_POOLER_PORT = String(pooler.port);
    service = await startTestService(reviewsService);
  });
  afterAll(async () => {
    await service.stop();
    await pooler.stop();
  });

  const propose = (user: TestUser, name: string) =>
    service.send(user, 'POST /v1/reviews', { name, sourceBranch: `topic/${name}`, targetBranch: 'main' });

  async function namesRead(user: TestUser): Promise<string[]> {
    const { body } = await service.send(user, 'GET /v1/reviews');
    return (body as { name: string }[]).map(({ name }) => name);
  }

  /** A new client of the pooler, with the login of the service. */
  async function connect(): Promise<Client> {
    const client = new Client(service.database.url('plat_reviews'));
    await client.connect();
    return client;
  }

  it('reach the database through the pooler', async () => {
    const client = await connect();
    const { rows } = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
    await client.end();
    expect(client.port).toBe(pooler.port);
    expect(rows).toEqual([{ port: databasePort() }]);
  });

  it('never show a tenant the rows of another, whichever tenant used the connection before', async () => {
    expect((await propose('alice', 'of-acme')).status).toBe(201);
    expect((await propose('mallory', 'of-globex')).status).toBe(201);
    const users: TestUser[] = Array.from({ length: READERS }, (_, place) =>
      place % 2 === 0 ? 'alice' : 'mallory',
    );
    for (let round = 0; round < 5; round++) {
      const read = await Promise.all(users.map(namesRead));
      users.forEach((user, place) =>
        expect(read[place]).toEqual([user === 'alice' ? 'of-acme' : 'of-globex']),
      );
    }
    expect(await service.database.query(CONNECTIONS, ['plat_reviews'])).toEqual([{ connections: 2 }]);
  });

  it('leave no tenant set on a connection: a client that enters none sees no row', async () => {
    const { body } = await propose('alice', 'seen-by-nobody');
    const { reviewId } = body as { reviewId: string };
    const clients = await Promise.all(Array.from({ length: 4 }, connect));
    const seen = await Promise.all(
      clients.map((client) =>
        client.query(
          'SELECT tenancy.tenant_id() AS tenant, count(*)::int AS reviews FROM reviews.get_review($1, $2)',
          [TEST_TENANTS.acme.tenantId, reviewId],
        ),
      ),
    );
    await Promise.all(clients.map((client) => client.end()));
    for (const { rows } of seen) expect(rows).toEqual([{ tenant: null, reviews: 0 }]);
  });

  it('let more requests wait for a change than there are connections, and answer others meanwhile', async () => {
    const { body } = await propose('alice', 'waited-for');
    const path = `/v1/reviews/${(body as { reviewId: string }).reviewId}` as const;
    const authorization = await service.bearer('alice');
    const read = async (headers: Record<string, string>) => {
      const { status, headers: answered } = await fetch(service.url + path, {
        headers: { authorization, ...headers },
      });
      return { status, tag: answered.get('etag')!, applied: answered.get('preference-applied') };
    };
    const { tag } = await read({});
    const waits = Array.from({ length: READERS }, () => read({ 'if-none-match': tag, prefer: 'wait=30' }));
    const figure = `plat_requests_waiting_for_change{service="reviews"} ${READERS}`;
    while (!(await (await fetch(`${service.url}/metrics`)).text()).includes(figure)) await delay(20);
    expect(await namesRead('alice')).toContain('waited-for');
    await service.send('alice', `PATCH ${path}/status`, { status: 'CLOSED' });
    for (const answer of await Promise.all(waits)) {
      expect(answer).toMatchObject({ status: 200, applied: 'wait=30' });
    }
    expect(await service.database.query(CONNECTIONS, ['plat_reviews'])).toEqual([{ connections: 2 }]);
  });

  it('create once for a key, although each transaction may have another connection', async () => {
    const authorization = await service.bearer('alice');
    const request = {
      method: 'POST',
      headers: { authorization, 'idempotency-key': 'behind-a-pooler' },
      body: JSON.stringify({ name: 'once', sourceBranch: 'topic/once', targetBranch: 'main' }),
    };
    const answers = await Promise.all(
      Array.from({ length: READERS }, () => fetch(`${service.url}/v1/reviews`, request)),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect((await namesRead('alice')).filter((name) => name === 'once')).toHaveLength(1);
    const again = await fetch(`${service.url}/v1/reviews`, request);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });

  it('answer again after the pooler was restarted, without a restart of their own', async () => {
    const { port } = pooler;
    await pooler.stop();
    expect((await service.send('alice', 'GET /v1/reviews')).status).toBeGreaterThanOrEqual(500);
    pooler = await startPooler(databasePort(), { port });
    expect(await namesRead('alice')).toContain('of-acme');
  });
});

const CONNECTIONS = `
  SELECT count(*)::int AS connections FROM pg_stat_activity
   WHERE usename = $1 AND datname = current_database() AND backend_type = 'client backend'`;
