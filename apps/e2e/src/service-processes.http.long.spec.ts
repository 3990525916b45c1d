import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import {
  addressOf,
  buildService,
  claimsOf,
  createTestDatabase,
  launchOnFullDisk,
  launchService,
  reservePorts,
  startPiped,
  startService,
  type TestDatabase,
  testDirectory,
  TokenIssuer,
} from '@plat/testing';

/** The exit code and the output of a service that cannot start. */
async function failure(name: ServiceName, environment: Record<string, string>) {
  const child = launchService(name, environment);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ]);
  return { code: code as number, stdout, stderr };
}

describe('the services as processes of their own, over one database', () => {
  let database: TestDatabase;
  let issuer: TokenIssuer;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    [database, issuer] = await Promise.all([
      createTestDatabase(),
      TokenIssuer.start(),
      buildService('reviews'),
      buildService('platform'),
    ]);
    await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
  }, 60_000);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all([issuer.stop(), database.drop()]);
  });

  async function start(name: ServiceName) {
    const service = await startService(name, { DATABASE_URL: database.url(LOGIN_ROLES[name]) });
    children.push(service.child);
    return service;
  }

  it('start, are ready, serve a request each, and end with 0 on a signal', async () => {
    const [reviews, platform] = await Promise.all([start('reviews'), start('platform')]);
    const authorization = `Bearer ${await issuer.token(claimsOf('alice'))}`;
    for (const { url } of [reviews, platform]) expect((await fetch(`${url}/readyz`)).status).toBe(200);

    const created = await fetch(`${reviews.url}/v1/reviews`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ name: 'x', sourceBranch: 'a', targetBranch: 'main' }),
    });
    expect(created.status).toBe(201);
    const whoami = await fetch(`${platform.url}/v1/whoami`, { headers: { authorization } });
    expect(await whoami.json()).toMatchObject({ username: 'alice' });
    expect((await fetch(`${platform.url}/v1/reviews`, { headers: { authorization } })).status).toBe(404);

    reviews.child.kill('SIGTERM');
    platform.child.kill('SIGINT');
    expect(await reviews.exited).toEqual([0, null]);
    expect(await platform.exited).toEqual([0, null]);
  }, 30_000);

  it('end on SIGTERM once every request that waits for a change is answered', async () => {
    const reviews = await start('reviews');
    const authorization = `Bearer ${await issuer.token(claimsOf('alice'))}`;
    const created = await fetch(`${reviews.url}/v1/reviews`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ name: 'waited for', sourceBranch: 'w', targetBranch: 'main' }),
    });
    const { reviewId } = (await created.json()) as { reviewId: string };
    const read = (headers: Record<string, string>) =>
      fetch(`${reviews.url}/v1/reviews/${reviewId}`, { headers: { authorization, ...headers } });
    const tag = (await read({})).headers.get('etag')!;
    const waits = Array.from({ length: 20 }, () => read({ 'if-none-match': tag, prefer: 'wait=30' }));
    const figure = 'plat_requests_waiting_for_change{service="reviews"} 20';
    while (!(await (await fetch(`${reviews.url}/metrics`)).text()).includes(figure)) await delay(20);
    reviews.child.kill('SIGTERM');
    for (const answer of await Promise.all(waits)) {
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([304, 'wait=30']);
    }
    expect(await reviews.exited).toEqual([0, null]);
  }, 30_000);

  it("answer a refusal of the database with the contract's status and code", async () => {
    const reviews = await start('reviews');
    const authorization = `Bearer ${await issuer.token(claimsOf('alice'))}`;
    const post = async (path: string, body: object) => {
      const answer = await fetch(reviews.url + path, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as object };
    };
    const review = { name: 'twice', sourceBranch: 'twice', targetBranch: 'main' };
    expect(await post('/v1/reviews', review)).toMatchObject({ status: 201 });
    expect(await post('/v1/reviews', review)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await post('/v1/reviews/merge-queue/advance', { targetBranch: 'main' })).toMatchObject({
      status: 404,
      body: { code: 'EMPTY_QUEUE' },
    });
    reviews.child.kill('SIGTERM');
    expect(await reviews.exited).toEqual([0, null]);
  }, 30_000);

  it('are not ready while the database is out of reach', async () => {
    const own = await createTestDatabase();
    const child = launchService('platform', { DATABASE_URL: own.url('plat_platform') });
    children.push(child);
    const url = await addressOf(child);
    await own.drop();
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not ready', services: ['platform'] },
    ]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 30_000);

  it.each<[string, () => Record<string, string>, number, RegExp]>([
    ['a valid configuration', () => ({ DATABASE_URL: database.url('plat_reviews') }), 0, /has no fault/],
    [
      'a configuration with faults',
      () => ({ PORT: 'x', MERGE_RECEIPT_KEY_FILE: '/absent' }),
      1,
      /MERGE_RECEIPT_KEY_FILE: \/absent is not there[^]*DATABASE_URL is not set[^]*PORT must/,
    ],
  ])('report with --check-config: %s', async (_, environment, code, says) => {
    const child = launchService('reviews', environment(), ['--check-config']);
    const [stdout, stderr, [ended]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit'),
    ]);
    expect([ended, stdout + stderr]).toEqual([code, expect.stringMatching(says)]);
    expect(stdout + stderr).not.toContain('listening');
  });

  it('refuse other arguments with 2', async () => {
    const child = launchService('reviews', {}, ['--chek-config']);
    const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    expect([code, stderr]).toEqual([
      2,
      'plat-reviews: unknown arguments. Usage: plat-reviews [--check-config]\n',
    ]);
  });

  it('take over a file that is replaced while they run: the key of receipts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-secrets-'));
    const [url, key] = ['DATABASE_URL', 'MERGE_RECEIPT_KEY'].map((name) => join(folder, name)) as [
      string,
      string,
    ];
    const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(url, database.url('plat_reviews'));
    await writeFile(key, newKey());
    const reviews = await startService('reviews', { DATABASE_URL_FILE: url, MERGE_RECEIPT_KEY_FILE: key });
    children.push(reviews.child);
    const output = createInterface(reviews.child.stdout!);
    const kids = async () => {
      const authorization = `Bearer ${await issuer.token(claimsOf('alice'))}`;
      const answer = await fetch(`${reviews.url}/v1/merge-receipt-keys`, { headers: { authorization } });
      return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    };
    const before = await kids();

    await writeFile(`${key}.new`, newKey());
    await rename(`${key}.new`, key);
    for await (const line of output) if (line.includes('"variables":["MERGE_RECEIPT_KEY"]')) break;
    const after = await kids();
    expect(after).toHaveLength(2);
    expect(after[1]).toBe(before[0]);

    reviews.child.kill('SIGTERM');
    expect(await reviews.exited).toEqual([0, null]);
    await rm(folder, { recursive: true });
  }, 30_000);

  describe('whose log no one reads', () => {
    /** Sends enough requests that their log lines overflow a pipe, several at once. */
    async function ask(url: string): Promise<void> {
      for (let round = 0; round < 20; round++) {
        const answers = await Promise.all(Array.from({ length: 25 }, () => fetch(`${url}/healthz`)));
        for (const { status } of answers) expect(status).toBe(200);
      }
    }

    it.each([
      ['SIGTERM', 'its reader has gone', 'SIGKILL'],
      ['SIGINT', 'its reader has gone', 'SIGKILL'],
      ['SIGTERM', 'its reader reads nothing', 'SIGSTOP'],
    ] as const)(
      'go on serving, and end on %s: %s',
      async (signal, _, happens) => {
        const { child, reader, exited, url } = await startPiped('platform', {
          DATABASE_URL: database.url(LOGIN_ROLES.platform),
        });
        children.push(child, reader);
        reader.kill(happens);
        await ask(url);
        child.kill(signal);
        expect(await exited).toEqual([0, null]);
      },
      30_000,
    );
  });

  it('whose log is on a full disk go on serving, count the lines, and say so on stderr once', async () => {
    const { start: port, release } = await reservePorts();
    const child = launchOnFullDisk('platform', {
      DATABASE_URL: database.url(LOGIN_ROLES.platform),
      PORT: String(port),
    });
    children.push(child);
    const exited = once(child, 'exit');
    const stderr = text(child.stderr!);
    const url = `http://127.0.0.1:${port}`;
    const countLostLines = async () =>
      Number(/^plat_log_lines_lost_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    // Its log would say when it listens.
    while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await delay(20);
    while ((await countLostLines()) < 2) await fetch(`${url}/v1/whoami`);
    const before = await countLostLines();
    while ((await countLostLines()) <= before) await fetch(`${url}/v1/whoami`);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect((await stderr).match(/Lines of the log are lost \(ENOSPC\)/g)).toHaveLength(1);
    await release();
  }, 30_000);

  describe('that cannot start end with 1 and one clear message on stderr', () => {
    const changed = (change: (url: URL) => void) => {
      const url = new URL(database.url('plat_platform'));
      change(url);
      return url.toString();
    };

    it.each<[string, () => Record<string, string>, string | RegExp]>([
      ['no DATABASE_URL', () => ({}), 'DATABASE_URL is not set'],
      [
        'a MySQL address',
        () => ({ DATABASE_URL: 'mysql://u:hunter2@h/d' }),
        'DATABASE_URL must be postgres://',
      ],
      [
        'a port that is not a number',
        () => ({ DATABASE_URL: 'postgres://u:hunter2@h:port/d' }),
        'DATABASE_URL must be postgres://',
      ],
      [
        'several faults',
        () => ({ PORT: 'x', LOG_LEVEL: 'y' }),
        /DATABASE_URL[^]*PORT[^]*LOG_LEVEL|PORT[^]*LOG_LEVEL/,
      ],
      [
        'an address at which no server listens',
        () => ({ DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' }),
        'ECONNREFUSED 127.0.0.1:1',
      ],
      [
        'a wrong password',
        () => ({ DATABASE_URL: changed((url) => (url.password = 'hunter2')) }),
        'password authentication failed',
      ],
      [
        'no such database',
        () => ({ DATABASE_URL: changed((url) => (url.pathname = '/nowhere')) }),
        '"nowhere" does not exist',
      ],
      ['a superuser', () => ({ DATABASE_URL: database.ownerUrl }), 'could bypass row-level security'],
    ])(
      '%s',
      async (_, environment, message) => {
        const { code, stderr } = await failure('platform', environment());
        expect(stderr).toMatch(message);
        expect(stderr).toMatch(/^plat-platform cannot start: /);
        expect(stderr).not.toMatch(/^ +at |hunter2/m);
        expect(stderr).not.toContain(new URL(database.ownerUrl).password || 'hunter2');
        expect(code).toBe(1);
      },
      20_000,
    );

    it('a port in use', async () => {
      const holder = createServer().listen(0, '127.0.0.1');
      await once(holder, 'listening');
      const { port } = holder.address() as AddressInfo;
      const environment = { DATABASE_URL: database.url('plat_platform'), PORT: String(port) };
      const { code, stderr } = await failure('platform', environment);
      holder.close();
      expect(stderr).toMatch(`address already in use 127.0.0.1:${port}`);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(code).toBe(1);
    }, 20_000);
  });
});
