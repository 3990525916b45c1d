import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORGE_REMOTE, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { ProxyDouble } from '../black-box/proxy-double';

const SOURCE = 'feature/42-limits';
const FORGE_HOST = 'api.forge.test';

describe('the commands about pull requests', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(() => Promise.all(disposals.splice(0).map((dispose) => dispose())));

  /** A checkout whose merge of the source has landed. */
  async function setUp() {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    const checkout = await GateCheckout.create(machine);
    const commit = await checkout.branch(SOURCE, { a: 'a\n' });
    const review = [`--source=${SOURCE}`, '--target-branch=main', '--json'];
    const merge = ['exec', 'gate-merge', '--messages-on-stdin', ...review];
    const merged = await machine.plat(merge, { cwd: checkout.folder, input: 'Add limits' });
    const { mergeCommit } = merged.json<{ mergeCommit: string }>();
    await checkout.git('config', `url.${checkout.origin}.insteadOf`, FORGE_REMOTE);
    await checkout.git('push', '--quiet', 'origin', `${mergeCommit}:refs/heads/main`);
    const closePull = (forgeUrl: string, env: Record<string, string> = {}) =>
      machine.plat(
        ['exec', 'close-pr', ...review, `--repository=${FORGE_REMOTE}`, `--forge-url=${forgeUrl}`],
        { cwd: checkout.folder, env: { GH_TOKEN: FORGE_TOKEN, ...env } },
      );
    return { commit, closePull };
  }

  it('go by the proxy of the person', async () => {
    const forge = await ForgeDouble.start();
    const proxy = await ProxyDouble.start(Number(new URL(forge.url).port), FORGE_HOST);
    const trust = await mkdtemp(join(tmpdir(), 'plat-proxied-forge-'));
    disposals.push(
      () => forge.close(),
      () => proxy.close(),
      () => rm(trust, { recursive: true }),
    );
    await writeFile(join(trust, 'cert.pem'), proxy.certificate);
    const { commit, closePull } = await setUp();
    forge.openPull(SOURCE, commit);
    const run = await closePull(`https://${FORGE_HOST}`, {
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: join(trust, 'cert.pem'),
    });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect([...new Set(proxy.tunnels)]).toEqual([`${FORGE_HOST}:443`]);
  });

  it('follow no redirect, which could carry the token elsewhere, and take it for no success', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(301, {
        location: 'http://127.0.0.1:1/elsewhere',
        'content-type': 'application/json',
      });
      response.end('{"message": "Moved Permanently"}');
    }).listen(0, '127.0.0.1');
    disposals.push(() => new Promise((resolve) => server.close(resolve)));
    const { closePull } = await setUp();
    const run = await closePull(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'FORGE_REFUSED',
      message: expect.stringContaining('has moved'),
    });
  });

  it.each([
    ['at another place, which would get the token', 'http://127.0.0.1:1/elsewhere', 'at another place'],
    ['in a circle', '/again', 'more than 1000 pages'],
  ])('follow no further pages %s', async (_where, next, message) => {
    const server = createServer((request, response) => {
      const link = `<${new URL(next, `http://${request.headers.host}`).href}>; rel="next"`;
      response.writeHead(200, { link, 'content-type': 'application/json' }).end('[]');
    }).listen(0, '127.0.0.1');
    disposals.push(() => new Promise((resolve) => server.close(resolve)));
    const { closePull } = await setUp();
    const run = await closePull(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code: 'FORGE_REFUSED', message: expect.stringContaining(message) });
  });
});
