import { randomUUID } from 'node:crypto';
import { Secret } from '@plat/service';
import {
  startTestService,
  startUpdateServer,
  TEST_ENVIRONMENTS,
  type TestService,
  type UpdateServer,
} from '@plat/testing';
import type { PlatformConfig } from '../config';
import { platformService } from '../service';

const ZONE = 'services.example';
const FOREIGN = TEST_ENVIRONMENTS['globex/dev'];
const NOWHERE = '00000000-0000-0000-0000-000000000000';

let dns: UpdateServer;
let service: TestService;
beforeAll(async () => {
  dns = await startUpdateServer(ZONE);
  const settings = {
    PLATFORM_SERVICES_ZONE: ZONE,
    DNS_SERVER: `127.0.0.1:${dns.port}`,
    DNS_TSIG_NAME: dns.keyName,
    DNS_TSIG_SECRET: new Secret(dns.secret),
  };
  service = await startTestService({
    ...platformService,
    module: (context, config: PlatformConfig) =>
      platformService.module(context, Object.assign(config, settings)),
  });
});
afterAll(async () => {
  await service.stop();
  await dns.stop();
});

const environment = async (user: 'alice' | 'mallory' = 'alice', name = `e${randomUUID().slice(0, 8)}x`) => {
  const { body } = await service.send(user, 'POST /v1/environments', { name, type: 'runtime' });
  return { id: (body as { environmentId: string }).environmentId, hostname: `*.acme-${name}.${ZONE}` };
};
const get = async (id: string) => service.send('alice', `GET /v1/environments/${id}`);
const put = (id: string, targetIp: unknown = '192.0.2.1') =>
  service.send('alice', `PUT /v1/environments/${id}/hostname`, { targetIp });
const remove = (id: string) => service.send('alice', `DELETE /v1/environments/${id}/hostname`);

/** Resolves when the request has ended, or when that many statements wait for a lock. */
async function endOrWait(request: Promise<unknown>, waitingMin: number): Promise<void> {
  let ended = false;
  void request.finally(() => (ended = true));
  for (;;) {
    const [row] = await service.database.query<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    if (ended || row!.waiting >= waitingMin) return;
  }
}

describe('PUT /v1/environments/{environment_id}/hostname', () => {
  it('200: {hostname, targetIp}; the wildcard record of type A, TTL 60, is written', async () => {
    const { id, hostname } = await environment();
    expect(await put(id)).toMatchObject({ status: 200, body: { hostname, targetIp: '192.0.2.1' } });
    expect(dns.records.get(hostname)).toBe('60 192.0.2.1');
    expect((await get(id)).body).toMatchObject({ exposedHostname: hostname });
  });

  it('200: again, with the new address', async () => {
    const { id, hostname } = await environment();
    await put(id);
    expect((await put(id, '192.0.2.2')).status).toBe(200);
    expect(dns.records.get(hostname)).toBe('60 192.0.2.2');
  });

  it.each([
    ...[undefined, '', '2001:db8::1', '192.0.2', '192.0.2.256', '01.2.3.4', 'localhost', 7],
    ...[
      '127.0.0.1',
      '127.255.255.254',
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
  ])('400: the address %j is INVALID_BODY with the field targetIp', async (targetIp) => {
    const { status, body } = await service.send('alice', `PUT /v1/environments/${NOWHERE}/hostname`, {
      targetIp,
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_BODY', details: { field: 'targetIp' } },
    });
  });

  it('200: a private address, since clusters have such', async () => {
    const { id, hostname } = await environment();
    expect((await put(id, '10.1.2.3')).status).toBe(200);
    expect(dns.records.get(hostname)).toBe('60 10.1.2.3');
  });

  it("404: another tenant's environment is answered as one that exists nowhere, and no record is written", async () => {
    const foreign = await put(FOREIGN);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await put(NOWHERE)).body);
    expect([...dns.records.keys()].some((name) => name.includes('dev'))).toBe(false);
  });

  it('409: a public name that another environment has, which may be of a tenant with a longer name', async () => {
    const own = await environment('alice', 'globex-shop');
    await put(own.id);
    const rename = (from: string, to: string) =>
      service.database.query('UPDATE identity.tenants SET name = $2 WHERE name = $1', [from, to]);
    await rename('globex', 'acme-globex');
    const theirs = await environment('mallory', 'shop');
    const line = `/v1/environments/${theirs.id}/hostname` as const;
    expect(await service.send('mallory', `PUT ${line}`, { targetIp: '192.0.2.66' })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: `Another environment has the public name ${own.hostname}.` },
    });
    expect((await service.send('mallory', `DELETE ${line}`)).status).toBe(204);
    expect(dns.records.get(own.hostname)).toBe('60 192.0.2.1');
    await remove(own.id);
    expect((await service.send('mallory', `PUT ${line}`, { targetIp: '192.0.2.66' })).status).toBe(200);
    await rename('acme-globex', 'globex');
  });

  it('200: a name that was given up meanwhile is not written over the record of the environment that took it', async () => {
    const own = await environment('alice', 'globex-late');
    const rename = (from: string, to: string) =>
      service.database.query('UPDATE identity.tenants SET name = $2 WHERE name = $1', [from, to]);
    await rename('globex', 'acme-globex');
    const theirs = await environment('mallory', 'late');
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = new Promise<void>((resolve) => {
      dns.hold = (message) => {
        if (!message.includes(Buffer.from([192, 0, 2, 66]))) return undefined;
        resolve();
        return released;
      };
    });
    const slow = put(own.id, '192.0.2.66');
    await held;
    const removed = remove(own.id);
    await endOrWait(removed, 1);
    const line = `PUT /v1/environments/${theirs.id}/hostname` as const;
    const taken = service.send('mallory', line, { targetIp: '192.0.2.1' });
    await endOrWait(taken, 2);
    release();
    const [first, second, third] = await Promise.all([slow, removed, taken]);
    dns.hold = undefined;
    const record = dns.records.get(own.hostname);
    expect({ first: first.status, second: second.status, record }).toEqual({
      ...{ first: 200, second: 204, record: third.status === 200 ? '60 192.0.2.1' : undefined },
    });
    await service.send('mallory', line.replace('PUT', 'DELETE') as 'DELETE /v1/x');
    await rename('acme-globex', 'globex');
  });

  it('503: a name server that does not confirm; the name stays until its record is known to be gone', async () => {
    const { id, hostname } = await environment();
    dns.fault = 'wrong signature';
    const answers = [await put(id), await remove(id)];
    dns.fault = undefined;
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    }
    expect((await get(id)).body).toMatchObject({ exposedHostname: hostname });
    expect((await remove(id)).status).toBe(204);
    expect((await get(id)).body).not.toHaveProperty('exposedHostname');
    expect(dns.records.has(hostname)).toBe(false);
  });
});

describe('DELETE /v1/environments/{environment_id}/hostname', () => {
  it('204: the record is gone; that there is none is no error', async () => {
    const { id, hostname } = await environment();
    await put(id);
    expect(await remove(id)).toMatchObject({ status: 204, body: undefined });
    expect(dns.records.has(hostname)).toBe(false);
    expect((await get(id)).body).not.toHaveProperty('exposedHostname');
    expect((await remove(id)).status).toBe(204);
  });

  it("404: another tenant's environment", async () => {
    expect((await remove(FOREIGN)).status).toBe(404);
  });
});

describe('DELETE /v1/environments/{environment_id}', () => {
  it('202: "chains a best-effort unexpose": the record goes with the environment', async () => {
    const { id, hostname } = await environment();
    await put(id);
    await service.send('alice', `DELETE /v1/environments/${id}`);
    for (let reads = 0; reads < 2_000 && (await get(id)).status === 200; reads++);
    expect((await get(id)).status).toBe(404);
    expect(dns.records.has(hostname)).toBe(false);
  });
});

describe('without a name server', () => {
  let plain: TestService;
  beforeAll(async () => (plain = await startTestService(platformService)));
  afterAll(() => plain.stop());
  const own = TEST_ENVIRONMENTS['acme/dev'];

  it('501: PUT and DELETE are NOT_IMPLEMENTED, and say why', async () => {
    const answers = [
      await plain.send('alice', `PUT /v1/environments/${own}/hostname`, { targetIp: '192.0.2.1' }),
      await plain.send('alice', `DELETE /v1/environments/${own}/hostname`),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 501, body: { code: 'NOT_IMPLEMENTED' } });
      expect(answer.body.message).toMatch(/no name server is configured/);
    }
  });
});
