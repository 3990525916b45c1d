import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { workspaceRoot } from '@plat/local';
import { approveDevice, launchStandalone, startStandalone } from '@plat/testing';
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

let template: Promise<string> | undefined;

/** A copy of a data directory that was stopped cleanly. Copying takes a tenth of the time of making one. */
async function usedFolder(): Promise<string> {
  template ??= makeTemplate();
  const copy = join(await folder(), 'data');
  // The files of PostgreSQL keep their owner, who is another user if the tests run as root.
  await promisify(execFile)('cp', ['-a', await template, copy]);
  return copy;
}

async function makeTemplate(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plat-start-'));
  keptOfAll.push(() => rm(path, { recursive: true, force: true }));
  const { child, ended } = await start({ dataDir: path });
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
  return path;
}

/** A review of acme, which a restart must not lose. */
function createReview(report: ReadyReport) {
  const review = { name: 'A kept review', sourceBranch: 'feature/1-kept', targetBranch: 'main' };
  return call(report, 'alice', '/v1/reviews', { method: 'POST', body: JSON.stringify(review) });
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

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends everything, and the next start has the data',
    async (signal) => {
      const dataDir = await usedFolder();
      const first = await start({ dataDir });
      const created = await createReview(first.report);
      first.child.kill(signal);
      expect((await first.ended).code).toBe(0);
      expect(await exists(first.readyFile)).toBe(false);
      expect(await exists(join(dataDir, 'lock'))).toBe(false);
      expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
      const second = await start({ dataDir });
      expect((await call(second.report, 'alice', `/v1/reviews/${created.body.reviewId}`)).body).toEqual(
        created.body,
      );
    },
  );

  it('by SIGKILL loses nothing that was acknowledged, and the next start recovers', async () => {
    const dataDir = await usedFolder();
    const first = await start({ dataDir });
    const created = await createReview(first.report);
    first.child.kill('SIGKILL');
    await first.ended;
    const port = Number(new URL(first.report.apiUrl).port);
    const second = await start({ dataDir, port });
    expect((await call(second.report, 'alice', `/v1/reviews/${created.body.reviewId}`)).body).toEqual(
      created.body,
    );
    const before = { ...second.report, accounts: first.report.accounts };
    expect((await call(before, 'alice', '/v1/whoami')).status).toBe(200);
  });

  it('ends everything even if the output is no longer read', async () => {
    const dataDir = await usedFolder();
    const { child, ended, report } = await start({ dataDir, unread: true });
    expect((await call(report, 'alice', '/v1/whoami')).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    expect(await exists(join(dataDir, 'lock'))).toBe(false);
  });

  it('during the start leaves no process running', async () => {
    const dataDir = await folder();
    await mkdir(join(dataDir, 'postgres'));
    const begun = new Promise<void>((resolve) => {
      const watcher = watch(join(dataDir, 'postgres'), () => resolve());
      cleanUps.push(async () => watcher.close());
    });
    const { child, ended } = launch('--port', '0', '--data-dir', dataDir);
    await begun;
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await exists(join(dataDir, 'lock'))).toBe(false);
  });

  it('of the database alone ends the service with an error that names its log', async () => {
    const dataDir = await usedFolder();
    const { ended } = await start({ dataDir });
    const postmaster = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
    process.kill(Number(postmaster.split('\n')[0]), 'SIGINT');
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(join(dataDir, 'postgres.log')),
    });
  });
});

describe('a start is refused', () => {
  it("on the data directory of another one, with the holder's pid", async () => {
    const dataDir = await usedFolder();
    const { child, report } = await start({ dataDir });
    const second = await launch('--port', '0', '--data-dir', dataDir).ended;
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`in use by process ${child.pid}.`),
    });
    expect((await call(report, 'alice', '/v1/whoami')).status).toBe(200);
  });

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

  it('on damaged data, naming the folder and changing nothing', async () => {
    const dataDir = await usedFolder();
    const control = join(dataDir, 'postgres', 'data', 'global', 'pg_control');
    await writeFile(control, 'garbage');
    const refused = await launch('--port', '0', '--data-dir', dataDir).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(join(dataDir, 'postgres', 'data'));
    expect(await readFile(control, 'utf8')).toBe('garbage');
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
