import { once } from 'node:events';
import { access, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { workspaceRoot } from '@plat/local';
import { approveDevice, execFile, launchStandalone, startStandalone } from '@plat/testing';
import type { ReadyReport } from './ready-file';

jest.setTimeout(60_000);

const program = join(workspaceRoot(), 'dist', 'testing', `standalone.${process.pid}`);
beforeAll(async () => {
  const recipe = join(workspaceRoot(), 'apps', 'standalone', 'build.mjs');
  const script = `(await import(${JSON.stringify(recipe)})).default({ outdir: ${JSON.stringify(program)} })`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `await ${script}`]);
});
const keptOfAll = [() => rm(program, { recursive: true, force: true })];
afterAll(() => cleanUp(keptOfAll));

const cleanUps: (() => Promise<unknown>)[] = [];
async function cleanUp(all: (() => Promise<unknown>)[]) {
  while (all.length > 0) await all.pop()?.();
}
afterEach(() => cleanUp(cleanUps));

/** A start as a process of its own; `ended` resolves with what it printed. */
function launch(...args: string[]) {
  const launched = launchStandalone(args, [join(program, 'main.js')]);
  cleanUps.push(launched.stop);
  return launched;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plat-start-'));
  cleanUps.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Starts and waits for the ready file. @throws Error if it ends before */
async function start(given: { dataDir: string; port?: number; unread?: boolean }) {
  const started = await startStandalone<ReadyReport>({
    ...given,
    folder: await folder(),
    program: [join(program, 'main.js')],
  });
  cleanUps.push(started.stop);
  return started;
}

async function call(report: ReadyReport, account: string, path: string, init: RequestInit = {}) {
  const headers = {
    authorization: `Bearer ${report.accounts[account]?.token}`,
    'content-type': 'application/json',
  };
  const response = await fetch(report.apiUrl + path, { ...init, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe('a start', () => {
  /** A start on fresh data, which all tests share except the one that reads the output. */
  let fresh: Awaited<ReturnType<typeof start>>;
  let firstTrail: unknown;
  const kept: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    fresh = await start({ dataDir: await folder() });
    firstTrail = (await call(fresh.report, 'alice', '/v1/audit-events')).body.events;
    kept.push(...cleanUps.splice(0));
  });
  afterAll(() => cleanUp(kept));

  it('writes a ready file with which every account can be used', async () => {
    const { report, readyFile, child } = fresh;
    expect((await stat(readyFile)).mode & 0o777).toBe(0o600);
    expect(report.pid).toBe(child.pid);
    const answers = await Promise.all(
      Object.keys(report.accounts).map(
        async (name) => [name, await call(report, name, '/v1/whoami')] as const,
      ),
    );
    for (const [name, { status, body }] of answers) {
      const { tenantId, userId, roles, subject } = report.accounts[name] ?? {};
      if (roles?.length) {
        expect(body).toMatchObject({ username: name, tenantId, userId, roles, subject });
      } else {
        expect([name, status, body.code]).toEqual([
          name,
          403,
          { dave: 'FORBIDDEN', stranger: 'NOT_ENROLLED', lost: 'TENANT_UNRESOLVED' }[name],
        ]);
      }
    }
    const client = new Client(report.databaseUrl);
    await client.connect();
    const { rows } = await client
      .query('SELECT environment_id FROM environments.environments')
      .finally(() => client.end());
    expect(rows.map(({ environment_id }) => environment_id).sort()).toEqual(
      Object.values(report.environments).sort(),
    );
  });

  it('prints the address, the accounts and the next commands', async () => {
    const { report, child, ended } = await start({ dataDir: await folder() });
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    expect(stdout).toContain(`plat answers at ${report.apiUrl}\n`);
    expect(stdout).toMatch(/^ {2}carol +acme · Promoter$/m);
    expect(stdout).toContain(`cloud init local --api-url ${report.apiUrl}`);
    expect(stderr).toBe('');
  });

  it('describes itself to a client that then signs in by the device page', async () => {
    const { report } = fresh;
    const platform = (await (await fetch(`${report.apiUrl}/v1/platform`)).json()) as Record<string, string>;
    expect(platform).toMatchObject({ issuer: report.issuer, apiUrl: report.apiUrl, cliClientId: 'plat-cli' });
    const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
    const client_id = platform.cliClientId as string;
    const asked = await fetch(`${report.issuer}/device/auth`, form({ client_id, scope: 'openid' }));
    const device = (await asked.json()) as Record<string, string>;
    await approveDevice(device.verification_uri_complete as string, 'bob');
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const given = await fetch(
      `${report.issuer}/token`,
      form({ client_id, grant_type, device_code: device.device_code as string }),
    );
    const { access_token } = (await given.json()) as Record<string, string>;
    const whoami = await fetch(`${report.apiUrl}/v1/whoami`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(await whoami.json()).toMatchObject({ username: 'bob', roles: ['TenantUser'] });
  });

  it('leaves the audit trail of fresh data empty, except for the request that reads it', () => {
    expect(firstTrail).toHaveLength(1);
  });

  it('serves the figures of all services at one address, and the key that it signs receipts with', async () => {
    const { report } = fresh;
    const figures = await (await fetch(`${report.apiUrl}/metrics`)).text();
    for (const service of ['reviews', 'builds', 'releases', 'audit', 'platform']) {
      expect(figures).toContain(`plat_database_connections{service="${service}",state="idle"}`);
    }
    expect(figures).toContain('plat_verifications{state="running"} 0');
    const { keys } = (await (await fetch(`${report.apiUrl}/v1/merge-receipt-keys`)).json()) as {
      keys: object[];
    };
    expect(keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519' }]);
  });

  it('lets carol advance a queue, and never override-advance', async () => {
    const { report } = fresh;
    const queue = { targetBranch: 'main', reason: 'no time' };
    const post = (path: string) =>
      call(report, 'carol', path, { method: 'POST', body: JSON.stringify(queue) });
    expect((await call(report, 'carol', '/v1/reviews')).status).toBe(200);
    expect((await post('/v1/reviews/merge-queue/advance')).body.code).toBe('EMPTY_QUEUE');
    expect((await post('/v1/reviews/merge-queue/override-advance')).body.code).toBe('FORBIDDEN');
  });
});

describe('a start is refused', () => {
  it('on a port that is in use, before anything is made', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    cleanUps.push(async () => taken.close());
    const { port } = taken.address() as AddressInfo;
    const dataDir = await folder();
    const refused = await launch('--port', `${port}`, '--data-dir', dataDir).ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is in use.`) });
    expect(await exists(join(dataDir, 'postgres'))).toBe(false);
  });

  it('on a data directory that is a file', async () => {
    const file = join(await folder(), 'file');
    await writeFile(file, '');
    const refused = await launch('--port', '0', '--data-dir', file).ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file} cannot be used`) });
  });

  it('on an unknown argument, with the usage', async () => {
    const refused = await launch('--prot', '0').ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean --port?') });
    expect(refused.stderr).toContain('Usage: npm start');
  });
});
