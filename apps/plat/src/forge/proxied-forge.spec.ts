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

  /** A forge behind a proxy, with a certificate of a private authority, and the file of that authority. */
  async function startProxiedForge() {
    const forge = await ForgeDouble.start();
    const proxy = await ProxyDouble.start(Number(new URL(forge.url).port), FORGE_HOST);
    const trust = await mkdtemp(join(tmpdir(), 'plat-proxied-forge-'));
    disposals.push(
      () => forge.close(),
      () => proxy.close(),
      () => rm(trust, { recursive: true }),
    );
    const authority = join(trust, 'cert.pem');
    await writeFile(authority, proxy.certificate);
    return { forge, proxy, authority };
  }

  it('go by the proxy of the person', async () => {
    const { forge, proxy, authority } = await startProxiedForge();
    const { commit, closePull } = await setUp();
    forge.openPull(SOURCE, commit);
    const run = await closePull(`https://${FORGE_HOST}`, {
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: authority,
    });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect([...new Set(proxy.tunnels)]).toEqual([`${FORGE_HOST}:443`]);
  });

  it('name the remedy for a forge whose authority this machine does not trust', async () => {
    const { proxy } = await startProxiedForge();
    const { closePull } = await setUp();
    const run = await closePull(`https://${FORGE_HOST}`, { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: '' });
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'CERTIFICATE_NOT_TRUSTED',
      message: expect.stringContaining(`certificate of https://${FORGE_HOST} (DEPTH_ZERO_SELF_SIGNED_CERT)`),
      details: { next: expect.stringMatching(/^set NODE_EXTRA_CA_CERTS .*docs\/private-authority\.md/) },
    });
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
