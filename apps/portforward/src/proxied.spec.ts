import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { ForwardingApi } from '@plat/testing';
import { loadClusterLibrary } from './black-box/cluster-library';
import { endOf, firstBytes, ForwardStand } from './black-box/forward-stand';

/** Go's programs reach no loopback address through a proxy, so the server has another name. */
const HOST = 'api.cluster.test';

loadClusterLibrary();

let stand: ForwardStand;
let proxy: Server;
/** The addresses that the proxy was asked for. */
let asked: string[];
const before = { ...process.env };

beforeEach(async () => {
  asked = [];
  proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket, head: Buffer) => {
    asked.push(url);
    const onward = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) {
      end.on('error', () => [socket, onward].forEach((each) => each.destroy()));
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  stand = await ForwardStand.start();
  stand.addService(await stand.named('hello'));
});
afterEach(async () => {
  for (const name of ['HTTP_PROXY', 'NO_PROXY']) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
  }
  await stand.stop();
  proxy.close();
});

const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

/** Writes the kubeconfig with another name of the server. */
async function rewrite(api: ForwardingApi, more: object = {}): Promise<string> {
  const { port } = new URL(api.url);
  const config = JSON.parse(await readFile(api.kubeconfig, 'utf8')) as { clusters: [{ cluster: object }] };
  Object.assign(config.clusters[0].cluster, { server: `http://${HOST}:${port}`, ...more });
  await writeFile(api.kubeconfig, JSON.stringify(config));
  return `${HOST}:${port}`;
}

async function readGreeting(): Promise<string> {
  return firstBytes(await stand.connect());
}

describe('a cluster behind a proxy', () => {
  it('is reached through the proxy-url of the kubeconfig', async () => {
    const place = await rewrite(stand.api, { 'proxy-url': proxyUrl() });
    expect(await readGreeting()).toBe('hello');
    expect(new Set(asked)).toEqual(new Set([place]));
  });

  it('is reached through the proxy of the environment, as by kubectl', async () => {
    process.env.HTTP_PROXY = proxyUrl();
    const place = await rewrite(stand.api);
    expect(await readGreeting()).toBe('hello');
    expect(new Set(asked)).toEqual(new Set([place]));
  });

  it('is reached without it where the exceptions have the server', async () => {
    process.env.HTTP_PROXY = proxyUrl();
    process.env.NO_PROXY = 'cluster.test';
    await rewrite(stand.api);
    expect(await endOf(await stand.connect())).toBe('cut');
    expect(stand.failed).toEqual([expect.stringMatching(/^The API server cannot be reached: E/)]);
    expect(asked).toEqual([]);
  });
});
