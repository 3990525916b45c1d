import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { carry, PodStreamsServer } from '@plat/testing';

/** A Service of the cluster, whose pod serves on its port. */
export interface ForwardedService {
  name: string;
  port: number;
}

const FOLDER = '/api/v1/namespaces/acme-dev';
const POD = {
  metadata: { name: 'runtime-1', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ ports: [] }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
};

/**
 * The API server's part in the forwards of an environment acme-dev: three Services and one pod, which speaks HTTP and
 * SSH. The forward's own specs have the protocol's details; here only whole commands are run.
 */
export class ForwardCluster {
  services: ForwardedService[];

  private constructor(
    private readonly server: Server,
    private readonly backends: { http: Server; ssh: TcpServer },
    start: number,
  ) {
    this.services = [
      { name: 'acme-mcp', port: start },
      { name: 'acme-ssh', port: start + 22 },
      { name: 'acme-api', port: start + 33 },
    ];
  }

  /** @param start of the environment's block of ports */
  static async start(start: number): Promise<ForwardCluster> {
    const http = createServer((_request, response) => response.end('{}'));
    const ssh = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('SSH-2.0-double\r\n');
    });
    const server = createServer();
    for (const each of [http, ssh, server]) await once(each.listen(0, '127.0.0.1'), 'listening');
    const cluster = new ForwardCluster(server, { http, ssh }, start);
    const upgrades = new PodStreamsServer();
    server.on('request', ({ url = '' }, response) => {
      const body = cluster.answer(url.split('?')[0] ?? '');
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { kind: 'Status', message: 'not found', code: 404 }));
    });
    server.on('upgrade', (request, socket) => {
      upgrades.accept(request, socket, (stream) => carry(stream, cluster.backendOf(stream.port)));
    });
    return cluster;
  }

  kubeconfig(): string {
    const { port } = this.server.address() as AddressInfo;
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'kind-one',
      clusters: [
        { name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'u', user: { token: 'first' } }],
      contexts: ['kind-one', 'kind-two'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
    });
  }

  async close(): Promise<void> {
    const servers = [this.server, this.backends.http, this.backends.ssh];
    for (const server of [this.server, this.backends.http]) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  }

  private answer(path: string): unknown {
    if (path === FOLDER) return {};
    if (path === `${FOLDER}/pods`) return { items: [POD] };
    const found = this.services.find(({ name }) => path === `${FOLDER}/services/${name}`);
    if (found === undefined) return undefined;
    return { spec: { selector: { app: 'runtime' }, ports: [{ port: found.port, targetPort: found.port }] } };
  }

  private backendOf(port: number): number {
    const isSsh = this.services.some((one) => one.name === 'acme-ssh' && one.port === port);
    return (this.backends[isSsh ? 'ssh' : 'http'].address() as AddressInfo).port;
  }
}
