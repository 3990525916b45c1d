/**
 * @peers nginx
 * @paths apps/audit apps/builds apps/platform apps/releases apps/reviews libs deploy apps/e2e/src apps/plat tools/build
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICES } from '@plat/contracts/core';
import { claimsOf, execFile, MergeScene, startEdge } from '@plat/testing';
import { type Edge, type FiveProcesses, type ServiceAddresses, startFiveProcesses } from '../five-processes';
import { signInHome } from '../signed-in-home';
import { type ReceivedSpan, SpanReceiver } from './span-receiver';

const run = promisify(execFile);
const ROOT = join(__dirname, '../../../..');
const startNginx = (addresses: ServiceAddresses): Promise<Edge> =>
  startEdge(
    join(ROOT, 'deploy/edge/routes.conf'),
    Object.fromEntries(SERVICES.map((name) => [name, [addresses[name]]])),
  );

let receiver: SpanReceiver;
let services: FiveProcesses;
let home: string;
let plat: string;
let telemetry: Record<string, string>;
// Six programs are built first.
beforeAll(async () => {
  receiver = await SpanReceiver.start();
  telemetry = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  services = await startFiveProcesses(startNginx, telemetry);
  plat = (await run(process.execPath, ['apps/plat/build.mjs', '--if-stale'], { cwd: ROOT })).stdout.trim();
  home = await mkdtemp(join(tmpdir(), 'plat-spans-'));
  const accessToken = await services.issuer.token(claimsOf('alice'));
  await signInHome(home, { apiUrl: services.url, issuer: services.issuer.url, accessToken });
}, 300_000);
afterAll(async () => {
  await services?.stop();
  await receiver?.close();
  await rm(home, { recursive: true, force: true });
});

const runPlat = (args: string[], env: Record<string, string>) =>
  run(process.execPath, [plat, ...args], { env: { PATH: '/usr/bin:/bin', HOME: home, ...env } });

/** The span above. */
const above = ({ traceId, parentSpanId }: ReceivedSpan): Promise<ReceivedSpan> =>
  receiver.span((span) => span.traceId === traceId && span.spanId === parentSpanId);

const place = ({ service, name }: ReceivedSpan): string[] => [service, name];

describe('a trace', () => {
  it('leads from the client through nginx and the service to SQL', async () => {
    await runPlat(['review', 'list', '--json'], telemetry);
    const root = await receiver.span(({ name }) => name === 'plat review list');
    const sql = await receiver.span(
      ({ traceId, name }) => traceId === root.traceId && name === 'SQL reviews.page_reviews',
    );
    const request = await above(sql);
    const call = await above(request);
    expect([sql, request, call, await above(call)].map(place)).toEqual([
      ['plat-reviews', 'SQL reviews.page_reviews'],
      ['plat-reviews', 'GET /v1/reviews'],
      ['plat', 'GET'],
      ['plat', 'plat review list'],
    ]);
    expect(root.parentSpanId).toBeFalsy();
    const row = await receiver.span(
      ({ traceId, name }) => traceId === root.traceId && name === 'SQL audit.record_requests',
    );
    expect(place(await above(row))).toEqual(['plat-reviews', 'GET /v1/reviews']);
    expect(Object.keys(sql.attributes).sort()).toEqual(['db.operation.name', 'db.system.name']);
  });

  it("has each of the verifier's requests to the repository, without its path or a ref", async () => {
    const scene = await MergeScene.create(services, 'http');
    const { id } = await scene.mergeReview();
    await scene.remove();
    const request = await receiver.span(({ name }) => name === 'git info/refs');
    const fetched = await receiver.span(
      ({ name, traceId }) => name === 'git git-upload-pack' && traceId === request.traceId,
    );
    const verification = await above(request);
    expect([verification, await above(verification)].map(place)).toEqual([
      ['plat-reviews', 'verify queue'],
      ['plat-reviews', 'PATCH /v1/reviews/{review_id}/status'],
    ]);
    expect(request.attributes).toEqual({
      'server.address': new URL(scene.remoteUrl).host,
      'http.request.method': 'GET',
      'git.path': 'info/refs',
    });
    const git = receiver.spans.filter(({ name }) => name.startsWith('git '));
    expect(JSON.stringify([...git, fetched])).not.toMatch(/repo|refs\/heads|topic/);
    expect(JSON.stringify(receiver.spans)).not.toContain(id);
  });

  it('is passed on by a client that records nothing itself: TRACEPARENT of its environment', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await runPlat(['review', 'list', '--json'], { TRACEPARENT: `00-${traceId}-b7ad6b7169203331-01` });
    const request = await receiver.span(
      (span) => span.traceId === traceId && span.name === 'GET /v1/reviews',
    );
    expect(request.parentSpanId).toBe('b7ad6b7169203331');
  });

  it('goes under the TRACEPARENT of a client that records too', async () => {
    const traceId = '1af7651916cd43dd8448eb211c80319c';
    const parent = { TRACEPARENT: `00-${traceId}-b7ad6b7169203331-01` };
    await runPlat(['review', 'list', '--json'], { ...telemetry, ...parent });
    const root = await receiver.span((span) => span.traceId === traceId && span.name === 'plat review list');
    expect(root.parentSpanId).toBe('b7ad6b7169203331');
  });

  it('is not recorded if the sampler leaves it out', async () => {
    await runPlat(['review', 'list', '--json'], {
      ...telemetry,
      OTEL_TRACES_SAMPLER: 'always_off',
      OTEL_SERVICE_NAME: 'unsampled',
    });
    await runPlat(['review', 'list', '--json'], { ...telemetry, OTEL_SERVICE_NAME: 'sampled' });
    await receiver.span(({ service }) => service === 'sampled');
    expect(receiver.spans.filter(({ service }) => service === 'unsampled')).toEqual([]);
  });

  it('is sent as http/protobuf if nothing else is said', async () => {
    await runPlat(['review', 'list', '--json'], { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    const sent = receiver.requests.filter(({ type }) => type === 'application/x-protobuf');
    expect(sent.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(sent[0]!.body.includes('plat review list')).toBe(true);
  });

  it('that cannot be sent fails no command', async () => {
    const { stdout } = await runPlat(['review', 'list', '--json'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    });
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
  });

  it('by a protocol that is not supported is said, and the command runs', async () => {
    const { stdout, stderr } = await runPlat(['review', 'list', '--json'], {
      ...telemetry,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    expect(stderr).toMatch(/telemetry cannot be used.*goes on without it.*use http\/protobuf or http\/json/);
  });
});
