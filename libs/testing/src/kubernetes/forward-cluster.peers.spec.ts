/**
 * @peers kubernetes forward-node kubectl
 * @paths libs/testing/src/kubernetes libs/forwards libs/environments/src
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { findFreePort } from '../peers/free-port';
import { peer } from '../peers/peer';
import { type ServerProcess, startServerProcess } from '../peers/server-process';
import { type ForwardCluster, startForwardCluster } from './forward-cluster';

const LABELS = { app: 'greeter' };
const POD_PORT = 8080;
const SERVICE = { name: 'greeter', selector: LABELS, port: 80, targetPort: 'web' };

let cluster: ForwardCluster;
const closing: Array<() => Promise<unknown>> = [];
beforeAll(async () => void (cluster = await startForwardCluster()), 60_000);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => cluster.stop());

/** A server that answers with this text and closes. */
async function greeter(words: string): Promise<number> {
  const server: Server = createServer((socket) => socket.end(words));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** `kubectl port-forward` to the Service. */
async function forward(namespace: string, user: 'admin' | 'stranger' = 'admin') {
  const port = await findFreePort();
  const flags = ['--kubeconfig', await cluster.kubeconfigFile(user), '--namespace', namespace];
  const server: ServerProcess = await startServerProcess({
    program: peer('kubectl'),
    args: [...flags, 'port-forward', `svc/${SERVICE.name}`, `${port}:${SERVICE.port}`],
    ready: /Forwarding from 127\.0\.0\.1/,
  });
  closing.push(() => server.stop());
  return { port, server };
}

const read = (port: number): Promise<string> => text(connect(port, '127.0.0.1'));

async function pod(namespace: string, name: string, words: string) {
  const ports = { [POD_PORT]: await greeter(words) };
  return { namespace, name, labels: LABELS, ports, portNames: { web: POD_PORT } };
}

describe('a cluster for port forwards', () => {
  it('forwards kubectl to a pod of the Service that is ready', async () => {
    await cluster.makeNamespace('ready');
    await cluster.makeService({ namespace: 'ready', ...SERVICE });
    await cluster.makePod({ ...(await pod('ready', 'a-waiting', 'waiting')), isReady: false });
    await cluster.makePod(await pod('ready', 'b-ready', 'hello'));
    const { port } = await forward('ready');
    expect(await read(port)).toBe('hello');
  });

  it('has forwards fail after the pod is removed, and again work with another', async () => {
    await cluster.makeNamespace('replaced');
    await cluster.makeService({ namespace: 'replaced', ...SERVICE });
    const first = await pod('replaced', 'first', 'one');
    await cluster.makePod(first);
    const { port, server } = await forward('replaced');
    expect(await read(port)).toBe('one');
    await cluster.removePod(first);
    expect(await read(port).catch(() => '')).toBe('');
    expect(server.said()).toContain('connection refused');
    await cluster.makePod(await pod('replaced', 'second', 'two'));
    expect(await read((await forward('replaced')).port)).toBe('two');
  });

  it('keeps what is stored while the API restarts', async () => {
    await cluster.makeNamespace('restarted');
    await cluster.makeService({ namespace: 'restarted', ...SERVICE });
    await cluster.makePod(await pod('restarted', 'only', 'still here'));
    await cluster.kubernetes.crashApi();
    await cluster.kubernetes.startApi();
    expect(await read((await forward('restarted')).port)).toBe('still here');
  });

  it('removes a namespace with its pods', async () => {
    await cluster.makeNamespace('removed');
    await cluster.makePod(await pod('removed', 'only', ''));
    await cluster.removeNamespace('removed');
    const request = { method: 'GET', path: '/api/v1/namespaces/removed/pods/only' } as const;
    await expect(cluster.requests.send(request)).rejects.toMatchObject({ status: 404 });
  });

  it('lets a stranger forward with the rights granted, and not without', async () => {
    await cluster.makeNamespace('granted');
    await cluster.makeService({ namespace: 'granted', ...SERVICE });
    await cluster.makePod(await pod('granted', 'only', 'hello'));
    await expect(forward('granted', 'stranger')).rejects.toThrow(/forbidden/);
    await cluster.grant('granted', [
      { resources: ['services', 'pods'], verbs: ['get', 'list'] },
      { resources: ['pods/portforward'], verbs: ['create', 'get'] },
    ]);
    expect(await read((await forward('granted', 'stranger')).port)).toBe('hello');
  });
});
