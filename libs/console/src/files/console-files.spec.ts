import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConsoleFiles } from './console-files';

const PAGE = `<!doctype html>${'<p>text</p>'.repeat(50)}`;

let folder: string;
let server: Server;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-console-files-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'signed-in.html'), 'signed in');
  await writeFile(join(folder, 'assets', 'console-1.js'), 'x();');
  const files = await openConsoleFiles(folder, ['https://id.example.com']);
  server = createServer((req, res) => {
    if (!files(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init });

/** A request whose path and headers are sent as they are. */
const statusOf = (path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    request(url, { path, headers }, (res) => {
      res.resume();
      resolve(res.statusCode!);
    })
      .once('error', reject)
      .end();
  });

describe('the policy of each page', () => {
  it('permits own scripts, styles and images, the own origin and identity providers, and nothing else', async () => {
    const { headers } = await get('/console/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' " +
        "https://id.example.com; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it.each([
    '/console/',
    '/console/signed-in',
    '/console/assets/console-1.js',
    '/console/assets/none.js',
    '/console',
  ])('is there on %s', async (path) => {
    expect((await get(path)).headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('a path below /console', () => {
  it.each(['/console/', '/console/releases?status=failed', '/console/reviews/1', '/console/no/such/place'])(
    '%s is the console, which is asked for at each visit',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it('of an asset is kept for ever, because its name changes with its content', async () => {
    const { headers } = await get('/console/assets/console-1.js');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('of an asset that there is not is 404, not the console', async () => {
    expect((await get('/console/assets/console-2.js')).status).toBe(404);
  });

  it.each([
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/index.html',
    '/console/assets/..%2findex.html',
  ])('%s leaves the folder of assets to no one', async (path) => expect(await statusOf(path)).toBe(404));

  it('/console leads to /console/', async () => {
    const answer = await get('/console');
    expect([answer.status, answer.headers.get('location')]).toEqual([308, '/console/']);
  });

  it('is read alone: another method is 405', async () => {
    const answer = await get('/console/', { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await get('/console/', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it.each([
    ['gzip, deflate', 'gzip'],
    ['gzip;q=0', null],
    ['br , gzip', 'gzip'],
    ['identity', null],
  ])('is compressed for "%s": %s', async (accepted, coding) => {
    const answer = await get('/console/', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    expect(await answer.text()).toBe(PAGE);
  });

  it('is found in a moment in the longest header that Node reads', async () => {
    const { user } = process.cpuUsage();
    const headers = { 'accept-encoding': `a${' '.repeat(15_000)}b` };
    for (let asked = 0; asked < 20; asked += 1) expect(await statusOf('/console/', headers)).toBe(200);
    expect(process.cpuUsage().user - user).toBeLessThan(500_000);
  });
});

it.each(['/', '/consoles', '/v1/platform', '/docs'])('%s is left to the services', async (path) => {
  expect((await get(path)).status).toBe(418);
});

it('a folder without a console is refused at the start', async () => {
  await expect(openConsoleFiles(join(folder, 'assets'))).rejects.toThrow('index.html');
});
