import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex } from 'node:stream';
import { kubeconfigOf } from './kubeconfig';
import { type PodStream, type PodStreams, PodStreamsServer } from './pod-streams';

/** The target of a forwarded connection in a pod: a port of this machine, or a function that handles it. */
export type PodPort = number | ((tunnel: PodTunnel) => void);

/** The pod's end of a forwarded connection. */
export interface PodTunnel {
  stream: PodStream;
  /** The node's end of the WebSocket that carries it. */
  streams: PodStreams;
  /** The TCP connection below the WebSocket. */
  socket: Duplex;
}

export interface ApiPod {
  /** Default: its name. */
  uid?: string;
  labels: Record<string, string>;
  isReady: boolean;
  isTerminating?: boolean;
  /** Names of container ports. */
  portNames?: Record<string, number>;
  /** Keyed by the pod's port. Absent: the pod refuses the connection. */
  ports: Record<number, PodPort>;
}

export interface ApiService {
  selector?: Record<string, string>;
  ports: { port: number; targetPort?: number | string; name?: string }[];
}

/** The part of a Kubernetes API server that a port forward needs, as a double that speaks `SPDY/3.1+portforward.k8s.io`. */
export class ForwardingApi {
  readonly context = 'test-cluster';
  /** Namespaces that exist. */
  readonly namespaces = new Set<string>();
  /** Keyed by `<namespace>/<name>`. */
  readonly services = new Map<string, ApiService>();
  readonly pods = new Map<string, ApiPod>();
  /** The bearer tokens that are accepted. */
  readonly tokens = new Set([randomUUID() as string]);
  /** `<method> <path>` of each request, in order; a dial's method is DIAL. */
  readonly requests: string[] = [];
  /** Its end of the tunnels. */
  readonly streams = new PodStreamsServer();
  /** The TCP connections that were accepted. */
  connections = 0;
  /** While set, called for each request in place of an answer; true: the request is answered after all. */
  insteadOfAnswer: ((request: IncomingMessage, socket: Duplex) => boolean) | undefined;
  /** Path of a kubeconfig file with one context. */
  kubeconfig = '';
  url = '';
  private readonly counts = new WeakMap<object, number>();
  private readonly server;
  private readonly sockets = new Set<Socket>();
  private readonly tunnels = new Set<Duplex>();

  private constructor(private readonly tls?: { cert: string; key: string }) {
    const answer = (request: IncomingMessage, response: ServerResponse) => this.answer(request, response);
    this.server = tls ? createTlsServer(tls, answer) : createPlainServer(answer);
    this.server.on('upgrade', (request, socket) => this.upgrade(request, socket));
    this.server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(tls?: { cert: string; key: string }): Promise<ForwardingApi> {
    const api = new ForwardingApi(tls);
    await api.listen(0);
    const port = (api.server.address() as AddressInfo).port;
    api.url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
    api.kubeconfig = join(await mkdtemp(join(tmpdir(), 'plat-kubeconfig-')), 'config');
    await api.writeKubeconfig([...api.tokens][0] ?? '');
    return api;
  }

  async writeKubeconfig(token: string): Promise<void> {
    const { url, context } = this;
    const certificate = this.tls && Buffer.from(this.tls.cert);
    const text = kubeconfigOf({ url, token, context, certificate });
    await writeFile(this.kubeconfig, text, { mode: 0o600 });
  }

  /** A Service with one ready pod, whose port is carried to a port of this machine. */
  addService(namespace: string, service: string, { port, pod }: { port: number; pod: PodPort }): void {
    this.namespaces.add(namespace);
    const labels = { app: service };
    this.services.set(`${namespace}/${service}`, { selector: labels, ports: [{ port }] });
    this.pods.set(`${namespace}/${service}-0`, { labels, isReady: true, ports: { [port]: pod } });
  }

  /** Cuts every connection, as a server that dies does, and listens at the same port until `stop`. */
  async restart(): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    await this.close();
    await this.listen(port);
  }

  /** Cuts the TCP connections; those of tunnels too. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Reads nothing more of the tunnels that are open now; their TCP connections stay. */
  stall(): void {
    for (const socket of this.tunnels) socket.pause();
  }

  /** How many requests came over a connection. */
  requestsOf(socket: object): number {
    return this.counts.get(socket) ?? 0;
  }

  async stop(): Promise<void> {
    await this.close();
    await rm(join(this.kubeconfig, '..'), { recursive: true });
  }

  private listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => resolve());
    });
  }

  private async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.count(request, request.method ?? '');
    if (this.insteadOfAnswer && !this.insteadOfAnswer(request, request.socket)) return;
    if (!this.isKnown(request)) return send(response, 401, statusOf(401, 'Unauthorized'));
    const [, namespace = '', kind, name] = RESOURCE.exec(path) ?? [];
    if (kind === 'pods' && !name) return send(response, 200, this.podList(namespace, path));
    const found = kind === 'services' ? this.serviceOf(namespace, name ?? '') : undefined;
    if (found) return send(response, 200, found);
    if (!kind && this.namespaces.has(namespace)) {
      return send(response, 200, { metadata: { name: namespace } });
    }
    send(response, 404, statusOf(404, `${kind ?? 'namespaces'} "${name ?? namespace}" not found`));
  }

  private count({ url, socket }: IncomingMessage, method: string): void {
    this.requests.push(`${method} ${url}`);
    this.counts.set(socket, this.requestsOf(socket) + 1);
  }

  private isKnown(request: IncomingMessage): boolean {
    return this.tokens.has((request.headers.authorization ?? '').replace(/^Bearer /, ''));
  }

  private serviceOf(namespace: string, name: string): object | undefined {
    const service = this.services.get(`${namespace}/${name}`);
    return service && { kind: 'Service', metadata: { name, namespace }, spec: service };
  }

  private podList(namespace: string, path: string): object {
    const selector = new URL(path, this.url).searchParams.get('labelSelector') ?? '';
    const wanted = selector.split(',').map((pair) => pair.split('='));
    const isMatch = (pod: ApiPod) => wanted.every(([label = '', value]) => pod.labels[label] === value);
    const items = [...this.pods]
      .filter(([key, pod]) => key.startsWith(`${namespace}/`) && isMatch(pod))
      .map(([key, pod]) => podOf(key.slice(namespace.length + 1), pod));
    return { kind: 'PodList', metadata: {}, items };
  }

  private upgrade(request: IncomingMessage, socket: Duplex): void {
    const path = request.url ?? '';
    this.count(request, 'DIAL');
    socket.on('error', () => socket.destroy());
    if (this.insteadOfAnswer && !this.insteadOfAnswer(request, socket)) return;
    const [, namespace, , name] = RESOURCE.exec(path) ?? [];
    const pod = this.pods.get(`${namespace}/${name}`);
    if (!this.isKnown(request)) return refuse(socket, 401, 'Unauthorized');
    if (!pod) return refuse(socket, 404, `pods "${name}" not found`);
    this.tunnels.add(socket);
    this.streams.accept(request, socket, (stream, streams) => {
      const target = pod.ports[stream.port];
      if (target === undefined) stream.fail(`error forwarding port ${stream.port}: connection refused`);
      else if (typeof target === 'number') carry(stream, target);
      else target({ stream, streams, socket });
    });
  }
}

const RESOURCE = /^\/api\/v1\/namespaces\/([a-z0-9-]+)(?:\/(services|pods))?(?:\/([a-z0-9-]+))?/;

/** Carries a connection to a port of this machine, as a kubelet does: it ends it after the pod's reply has ended. */
export function carry(stream: PodStream, port: number): void {
  const { webSocket } = stream;
  const socket = connect(port, '127.0.0.1');
  socket.on('data', (data) => {
    socket.pause();
    stream.send(data, () => socket.resume());
  });
  socket.once('end', () => stream.end());
  socket.once('error', (error) => stream.fail(`error forwarding port: ${error.message}`));
  socket.on('drain', () => webSocket.resume());
  stream.onData = (data) => {
    if (!socket.write(data)) webSocket.pause();
  };
  stream.onEnd = () => socket.end();
  webSocket.once('close', () => socket.end());
}

function podOf(name: string, pod: ApiPod): object {
  const ports = Object.entries(pod.portNames ?? {}).map(([port, number]) => ({
    name: port,
    containerPort: number,
  }));
  return {
    metadata: {
      name,
      uid: pod.uid ?? name,
      labels: pod.labels,
      deletionTimestamp: pod.isTerminating ? '2026-01-01T00:00:00Z' : undefined,
    },
    spec: { containers: [{ name: 'runtime', ports }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: pod.isReady ? 'True' : 'False' }] },
  };
}

const statusOf = (code: number, message: string) => ({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  code,
  message,
});

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(socket: Duplex, code: number, message: string): void {
  const body = JSON.stringify(statusOf(code, message));
  socket.end(
    `HTTP/1.1 ${code} Refused\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
