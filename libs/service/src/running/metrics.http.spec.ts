import { Gauge, type Registry } from 'prom-client';
import { probeService, startTestService, type TestService } from '@plat/testing';

let service: TestService;
/** The registry of the running service. */
let registry: Registry;
beforeAll(async () => {
  service = await startTestService(probeService((_, { metrics }) => void (registry = metrics)));
});
afterAll(() => service.stop());

async function figures(): Promise<string> {
  const answer = await fetch(`${service.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return answer.text();
}

/** How many requests were counted under exactly these labels. */
async function countRequests(labels: string): Promise<number> {
  const line = (await figures())
    .split('\n')
    .find((text) => text.startsWith(`plat_http_request_duration_seconds_count{${labels}}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('GET /metrics', () => {
  it('counts requests by method, route template and status', async () => {
    const labels = 'method="GET",route="/v1/whoami",status="200"';
    const before = await countRequests(labels);
    await service.send('alice', 'GET /v1/whoami');
    expect(await countRequests(labels)).toBe(before + 1);
  });

  it('counts all requests that match no route in one series, which names no method or path', async () => {
    const labels = 'method="none",route="none",status="404"';
    const before = await countRequests(labels);
    await service.send('alice', 'GET /v1/made-up');
    await fetch(`${service.url}/another`, { method: 'PROPFIND' });
    expect(await countRequests(labels)).toBe(before + 2);
    expect(await figures()).not.toMatch(/made-up|another|PROPFIND/);
  });

  it('shows connections, what waits for them, and the memory of the process', async () => {
    const text = await figures();
    expect(text).toMatch(/^plat_database_connections\{service="\w+",state="busy"\} \d+$/m);
    expect(text).toMatch(/^plat_database_requests_waiting\{service="\w+"\} 0$/m);
    expect(text).toMatch(/^plat_log_lines_lost_total 0$/m);
    expect(text).toMatch(/^plat_audit_rows_waiting\{service="\w+"\} 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
  });

  it('shows a figure that is registered while the service runs', async () => {
    await service.send('alice', 'GET /v1/whoami');
    new Gauge({ name: 'plat_probe_late', help: 'Registered late', registers: [registry] }).set(7);
    expect(await figures()).toMatch(/^plat_probe_late 7$/m);
  });

  it('is public, names no tenant, and writes no audit row', async () => {
    await service.send('alice', 'GET /v1/whoami');
    const rows = () => service.database.query('SELECT tenant_id FROM audit.audit_events');
    const before = await rows();
    const text = await figures();
    expect(await rows()).toHaveLength(before.length);
    for (const { tenant_id: tenantId } of before) expect(text).not.toContain(tenantId as string);
  });
});
