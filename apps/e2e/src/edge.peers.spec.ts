/**
 * @peers nginx prometheus
 * @paths apps/audit apps/builds apps/platform apps/releases apps/reviews libs deploy apps/e2e/src tools/build
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { noRoute, SERVICES } from '@plat/contracts/core';
import { startEdge, startMetricsReader } from '@plat/testing';
import { type Edge, type FiveProcesses, type ServiceAddresses, startFiveProcesses } from './five-processes';
import { describeMergeFlow } from './merge-flow.conformance';
import { describeMalformed } from './sweep/malformed.conformance';
import { sendRaw } from './sweep/raw-request';

const ASK_AGAIN_MS = 100;
const ROUTES_FILE = join(__dirname, '../../../deploy/edge/routes.conf');

/** Ways to write the paths that a service answers to its operator alone. */
const INSIDE_ONLY = [
  ...['/metrics', '/healthz', '/readyz'].flatMap((path) => [
    path,
    `${path}?x`,
    `${path}#`,
    `${path}#/v1/whoami`,
    `${path}/`,
    `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
    `/${path}`,
    `/.${path}`,
    `/v1/..${path}`,
    `/v1/%2e%2e${path}`,
    `/v1/reviews/..%2f..${path}`,
    `/console/..${path}`,
    `http://plat.example${path}`,
    `https://127.0.0.1${path}`,
    `http://plat.example/v1/..${path}`,
  ]),
  '/',
  '/v2/whoami',
];

const startNginx = (addresses: ServiceAddresses): Promise<Edge> =>
  startEdge(ROUTES_FILE, Object.fromEntries(SERVICES.map((name) => [name, [addresses[name]]])));

let services: FiveProcesses;
// Five programs are built first.
beforeAll(async () => (services = await startFiveProcesses(startNginx)), 300_000);
afterAll(() => services?.stop());

describeMergeFlow('the five services behind nginx with the generated routes', () => services);

describeMalformed('the services behind nginx', () => ({ url: services.url, edge: true }));

describe('nginx with the generated routes', () => {
  it.each(['/v1/nothing', '/v1', '/v1/', '/v1/metrics'] as const)(
    "passes %s, which has no route, to a service, which refuses it in the contract's shape",
    async (path) => {
      const { status, headers, body } = await services.send('alice', `GET ${path}`);
      expect({ status, body }).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(headers.get('x-request-id')).not.toBeNull();
    },
  );

  it.each(['/metrics', '/healthz', '/readyz'])('%s is answered inside, by every service', async (path) => {
    for (const url of Object.values(services.addresses)) expect((await fetch(url + path)).status).toBe(200);
  });

  it.each(INSIDE_ONLY)('%s is not routed', async (target) => {
    const asked = `GET ${target} HTTP/1.1\r\nHost: plat.example\r\nConnection: close\r\n\r\n`;
    const { status, headers, body } = await sendRaw(services.url, asked);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'application/json' });
    expect(JSON.parse(body)).toEqual({ code: 'NOT_FOUND', message: noRoute().message });
  });

  it.each(['GET /metrics HTTP/1.0\r\n\r\n', 'GET /metrics\r\n\r\n', 'POST /metrics HTTP/1.0\r\n\r\n'])(
    'nor is %j, of an old version',
    async (asked) => {
      expect((await sendRaw(services.url, asked)).body).toContain('"code":"NOT_FOUND"');
    },
  );

  it("passes a body that is too large to the service, which refuses it in the contract's shape", async () => {
    const body = { name: 'x'.repeat(2 * 1024 * 1024), sourceBranch: 'a', targetBranch: 'main' };
    const { status, body: refusal } = await services.send('alice', 'POST /v1/reviews', body);
    expect({ status, refusal }).toMatchObject({ status: 400, refusal: { code: 'INVALID_BODY' } });
  });

  it("passes the caller's request id to the service, and the service's own id to the caller", async () => {
    const headers = { authorization: await services.bearer('alice'), 'x-request-id': 'from-the-caller-1' };
    const answer = await fetch(`${services.url}/v1/reviews`, { headers });
    const rows = await services.database.query(
      'SELECT caller_request_id FROM audit.audit_events WHERE request_id = $1',
      [answer.headers.get('x-request-id')],
    );
    expect(rows).toEqual([{ caller_request_id: 'from-the-caller-1' }]);
  });

  it('lets a poller revalidate: 304 for what has not changed', async () => {
    const path = '/v1/reviews/merge-queue?targetBranch=main';
    const headers = { authorization: await services.bearer('alice') };
    const first = await fetch(services.url + path, { headers });
    const etag = first.headers.get('etag')!;
    const second = await fetch(services.url + path, { headers: { ...headers, 'if-none-match': etag } });
    expect([first.status, second.status]).toEqual([200, 304]);
  });
});

describe('Prometheus', () => {
  it('reads the metrics of all five services, by route template', async () => {
    await services.send('alice', 'GET /v1/whoami');
    const prometheus = await startMetricsReader(services.addresses);
    const readable = async () => (await prometheus.query('up == 1')).map(({ labels }) => labels.job).sort();
    while ((await readable()).length < SERVICES.length) await delay(ASK_AGAIN_MS);
    const answered = await prometheus.query(
      'plat_http_request_duration_seconds_count{route="/v1/whoami", status="200"}',
    );
    await prometheus.stop();
    expect(answered).toMatchObject([{ labels: { job: 'platform', method: 'GET' } }]);
    expect(answered[0]!.value).toBeGreaterThanOrEqual(1);
  });
});
