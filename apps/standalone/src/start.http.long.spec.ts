import { watch } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile, launchStandalone, startStandalone } from '@plat/testing';
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
async function copyUsedFolder(): Promise<string> {
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

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends everything, and the next start has the data',
    async (signal) => {
      const dataDir = await copyUsedFolder();
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
    const dataDir = await copyUsedFolder();
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
    const dataDir = await copyUsedFolder();
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
    const dataDir = await copyUsedFolder();
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
    const dataDir = await copyUsedFolder();
    const { child, report } = await start({ dataDir });
    const second = await launch('--port', '0', '--data-dir', dataDir).ended;
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`in use by process ${child.pid}.`),
    });
    expect((await call(report, 'alice', '/v1/whoami')).status).toBe(200);
  });

  it('on damaged data, naming the folder and changing nothing', async () => {
    const dataDir = await copyUsedFolder();
    const control = join(dataDir, 'postgres', 'data', 'global', 'pg_control');
    await writeFile(control, 'garbage');
    const refused = await launch('--port', '0', '--data-dir', dataDir).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(join(dataDir, 'postgres', 'data'));
    expect(await readFile(control, 'utf8')).toBe('garbage');
  });
});
