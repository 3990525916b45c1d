import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { makeSelfSignedCertificate } from '../git/self-signed-certificate';
import { kubeconfigOf } from './kubeconfig';

/** A pod of the double. */
export interface DoublePod {
  name: string;
  /** Default: the name. */
  uid?: string;
  /** Default: true. */
  isReady?: boolean;
  isTerminating?: boolean;
  /** The port of this machine that its container's port stands for; without one it refuses. */
  backend?: number;
}

/** What the double serves; a test changes it at any time. */
export interface DoubleState {
  /** Absent: the namespace is gone. */
  namespace?: string;
  /** Absent: there is no Service. */
  service?: { name: string; port: number; targetPort: number | string };
  pods: DoublePod[];
  /** The only accepted token. */
  token: string;
  /** Whether a dialed pod reads nothing and answers no ping. */
  isSilent?: boolean;
}

const PROTOCOL = 'v4.channel.k8s.io';
const CONTAINER_PORT = 8080;

/** The API server's part in port forwards, over TLS, with pods whose ports are those of this machine. */
export class PortForwardDouble {
  readonly sockets = new Set<WebSocket>();
  /** Paths that were asked for, with their order. */
  readonly asked: string[] = [];
  private readonly raw = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly state: DoubleState,
    private readonly certificate: string,
  ) {}

  static async start(state: DoubleState, port = 0): Promise<PortForwardDouble> {
    const { key, cert } = await makeSelfSignedCertificate();
    const server = createServer({ key, cert });
    const double = new PortForwardDouble(server, state, cert);
    const upgrades = new WebSocketServer({
      noServer: true,
      handleProtocols: () => PROTOCOL,
      autoPong: false,
    });
    server.on('connection', (socket) => {
      double.raw.add(socket);
      socket.once('close', () => double.raw.delete(socket));
    });
    server.on('request', ({ url = '', headers }, response) => {
      const { status, body } = double.answer(url, headers.authorization);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    server.on('upgrade', (request, socket, head) => {
      double.asked.push(request.url ?? '');
      const pod = double.podOf(request.url ?? '');
      const isKnown = request.headers.authorization === `Bearer ${state.token}`;
      const refusal = isKnown ? '404 Not Found' : '401 Unauthorized';
      if (!isKnown || pod === undefined) {
        return void (socket as Socket).end(
          `HTTP/1.1 ${refusal}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
        );
      }
      upgrades.handleUpgrade(request, socket as Socket, head, (connection) =>
        double.forward(connection, pod),
      );
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @param token default: the accepted one */
  kubeconfig(token = this.state.token): string {
    const certificate = Buffer.from(this.certificate);
    return kubeconfigOf({ url: `https://127.0.0.1:${this.port}`, certificate, token, context: 'double' });
  }

  /** Ends every connection without a word, as a server that is killed. */
  async kill(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.raw) socket.resetAndDestroy();
    await closed;
  }

  private answer(url: string, authorization: string | undefined): { status: number; body: unknown } {
    this.asked.push(url);
    const { namespace, service, pods, token } = this.state;
    if (authorization !== `Bearer ${token}`) return refusal(401, 'Unauthorized');
    const path = url.split('?')[0];
    const folder = `/api/v1/namespaces/${namespace}`;
    if (path === folder) return { status: 200, body: {} };
    if (path === `${folder}/pods`) return { status: 200, body: { items: pods.map(podBody) } };
    if (service !== undefined && path === `${folder}/services/${service.name}`) {
      const ports = [{ port: service.port, targetPort: service.targetPort }];
      return { status: 200, body: { spec: { selector: { app: 'runtime' }, ports } } };
    }
    return refusal(404, `${path} not found`);
  }

  private podOf(url: string): DoublePod | undefined {
    const [, name] = /\/pods\/([^/]+)\/portforward\?ports=8080$/.exec(url) ?? [];
    return this.state.pods.find((pod) => pod.name === name);
  }

  private forward(connection: WebSocket, { backend }: DoublePod): void {
    this.sockets.add(connection);
    const silent = this.state.isSilent === true;
    connection.once('close', () => this.sockets.delete(connection));
    connection.on('error', () => undefined);
    for (const channel of [0, 1]) {
      connection.send(Buffer.from([channel, CONTAINER_PORT & 255, CONTAINER_PORT >> 8]));
    }
    if (silent) return;
    connection.on('ping', (data) => connection.pong(data));
    if (backend === undefined) {
      connection.send(Buffer.concat([Buffer.of(1), Buffer.from('connection refused by the container')]));
      return connection.close(1000);
    }
    const socket = connect({ host: '127.0.0.1', port: backend, allowHalfOpen: true });
    socket.on('error', () => connection.terminate());
    socket.on('data', (chunk: Buffer) => {
      socket.pause();
      connection.send(Buffer.concat([Buffer.of(0), chunk]), () => socket.resume());
    });
    socket.on('end', () => connection.close(1000));
    connection.on('message', (data) => {
      if (!socket.write((data as Buffer).subarray(1))) connection.pause();
    });
    socket.on('drain', () => connection.resume());
    connection.on('close', () => socket.destroy());
  }
}

function podBody({ name, uid = name, isReady = true, isTerminating = false }: DoublePod) {
  const deletionTimestamp = isTerminating ? '2026-01-01T00:00:00Z' : undefined;
  return {
    metadata: { name, uid, deletionTimestamp, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [{ ports: [{ name: 'main', containerPort: CONTAINER_PORT }] }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  };
}

function refusal(status: number, message: string) {
  return { status, body: { kind: 'Status', message, code: status } };
}
