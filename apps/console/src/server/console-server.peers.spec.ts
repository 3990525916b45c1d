/** @peers nginx */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { addressOf, type EdgePeer, execFile, spawn, startEdge } from '@plat/testing';

// The server and the page are built first.
jest.setTimeout(120_000);

let folder: string;
let server: ChildProcess;
let url: string;
let edge: EdgePeer;
const logged: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-console-server-'));
  const build = [join(workspaceRoot(), 'tools', 'build', 'build.mjs'), 'apps/console', folder];
  await promisify(execFile)(process.execPath, build, { cwd: workspaceRoot() });
  server = spawn(process.execPath, [join(folder, 'main.js')], {
    env: { HOST: '127.0.0.1', PORT: '0', DRAIN_SECONDS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server.stdout!.on('data', (chunk: Buffer) => logged.push(chunk.toString()));
  url = await addressOf(server);
  edge = await startEdge(join(workspaceRoot(), 'deploy', 'edge', 'routes.conf'), { console: [url] });
});
afterAll(async () => {
  await edge?.stop();
  server.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

describe('the console behind nginx with the generated routes', () => {
  it('is the page with its policy, at each of its places', async () => {
    for (const place of ['/console/', '/console/queue?targetBranch=main']) {
      const answer = await fetch(edge.url + place);
      expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([
        200,
        expect.stringContaining("connect-src 'self';"),
      ]);
    }
  });

  it('leads from /console to /console/ on the address that was asked', async () => {
    const { url: reached, status } = await fetch(`${edge.url}/console`);
    expect([status, reached]).toEqual([200, `${edge.url}/console/`]);
  });

  it('has each asset that a page names, compressed and kept for ever', async () => {
    for (const page of ['/console/', '/console/signed-in']) {
      const html = await (await fetch(edge.url + page)).text();
      const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
      expect(assets).toHaveLength(3);
      for (const path of assets) {
        const answer = await fetch(edge.url + path);
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
      }
    }
  });

  it('logs in the form of the services: level, time, service, fields and message', () => {
    const [line] = logged.join('').split('\n');
    expect(JSON.parse(line!)).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      service: 'console',
      address: url,
      msg: 'listening',
    });
  });

  it('serves nothing else, and writes no name of a file into its answers', async () => {
    const answer = await fetch(`${url}/main.js`);
    expect([answer.status, await answer.json()]).toEqual([404, { code: 'NOT_FOUND' }]);
  });

  it('at SIGTERM is not ready, serves on until the edge has noticed, and ends with 0', async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    let ready = 200;
    while (ready === 200) ready = (await fetch(`${url}/readyz`)).status;
    expect(ready).toBe(503);
    expect((await fetch(`${edge.url}/console/`)).status).toBe(200);
    expect(await ended).toEqual([0, null]);
  });
});
