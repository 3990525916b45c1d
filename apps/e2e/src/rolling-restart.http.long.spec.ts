import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import {
  buildService,
  claimsOf,
  createTestDatabase,
  type ServiceProcess,
  startService,
  type TestDatabase,
  testDirectory,
  TokenIssuer,
} from '@plat/testing';
import { CarefulEdge } from './careful-edge';

const CLIENTS = 8;
const ROUNDS = 3;

/** A restart causes seconds of errors if a service has one replica, and no errors if it has several. */
describe('replacing the replicas of a service one by one, under load', () => {
  let database: TestDatabase;
  let issuer: TokenIssuer;
  let edge: CarefulEdge;
  const running = new Set<ServiceProcess>();
  beforeAll(async () => {
    [database, issuer, edge] = await Promise.all([
      createTestDatabase(),
      TokenIssuer.start(),
      CarefulEdge.start(),
      buildService('reviews'),
    ]);
    await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
  }, 60_000);
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await edge.close();
    await Promise.all([issuer.stop(), database.drop()]);
  });

  async function addReplica(): Promise<ServiceProcess> {
    const replica = await startService('reviews', {
      DATABASE_URL: database.url(LOGIN_ROLES.reviews),
      DRAIN_SECONDS: '1',
    });
    running.add(replica);
    edge.add(replica.url);
    return replica;
  }

  /** Replaces a replica as a deployment does: signals it, waits until it is not ready, removes it, waits for its end. */
  async function replace(old: ServiceProcess): Promise<ServiceProcess> {
    const fresh = await addReplica();
    old.child.kill('SIGTERM');
    while ((await fetch(`${old.url}/readyz`)).ok) await setImmediate();
    edge.remove(old.url);
    expect(await old.exited).toEqual([0, null]);
    running.delete(old);
    return fresh;
  }

  it('fails no request, and each request has exactly one audit row', async () => {
    const authorization = `Bearer ${await issuer.token(claimsOf('alice'))}`;
    const answered: { status: number; requestId: string }[] = [];
    let restarting = true;
    const client = async (): Promise<void> => {
      while (restarting) {
        const requestId = randomUUID();
        const body = { name: requestId, sourceBranch: requestId, targetBranch: 'main' };
        const headers = { authorization, 'x-request-id': requestId };
        const created = await fetch(`${edge.url}/v1/reviews`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        await created.arrayBuffer();
        answered.push({ status: created.status, requestId });
      }
    };
    let replicas = [await addReplica(), await addReplica()];
    const clients = Array.from({ length: CLIENTS }, client);
    for (let round = 0; round < ROUNDS; round++) {
      const [oldest, other] = replicas;
      replicas = [other!, await replace(oldest!)];
    }
    restarting = false;
    await Promise.all(clients);

    expect(answered.length).toBeGreaterThan(CLIENTS * ROUNDS);
    expect(answered.filter(({ status }) => status !== 201)).toEqual([]);
    const rows = await database.query<{ id: string }>(
      'SELECT caller_request_id AS id FROM audit.audit_events',
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(answered.map(({ requestId }) => requestId).sort());
  }, 60_000);
});
