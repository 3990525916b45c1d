import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { makeSelfSignedCertificate } from '@plat/testing';

/**
 * A forward proxy and, behind it, hosts with https that only it can find: what is sent to them arrives at a server of
 * this machine. It takes CONNECT, and requests whose target is an absolute address, as a proxy for plain http does.
 */
export class ProxyDouble {
  /** The targets of CONNECT, such as `api.platform.test:443`. */
  readonly tunnels: string[] = [];
  /** The requests that it could read, such as `GET http://127.0.0.1:7070/v1/me`, with the header Authorization. */
  readonly readable: Array<{ line: string; authorization: string | undefined }> = [];
  /** Value of the header Proxy-Authorization of the last tunnel. */
  credentials: string | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly hosts: TlsServer,
    /** The certificate of the hosts, PEM. */
    readonly certificate: string,
  ) {
    server.on('connect', ({ url = '', headers }, socket: Socket, head: Buffer) => {
      this.tunnels.push(url);
      this.credentials = headers['proxy-authorization'];
      const onward = connect((hosts.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        join(socket, onward);
      });
      this.keep(socket, onward);
    });
    server.on('request', ({ url = '', method, headers }, response) => {
      this.readable.push({ line: `${method} ${url}`, authorization: headers.authorization });
      const onward = request(url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy()).end();
    });
  }

  /** @param target port of this machine at which everything arrives that is sent to the names */
  static async start(target: number, ...names: readonly string[]): Promise<ProxyDouble> {
    const { key, cert } = await makeSelfSignedCertificate(...names);
    const hosts = createTlsServer({ key, cert });
    const double = new ProxyDouble(createServer(), hosts, cert);
    hosts.on('secureConnection', (socket) => {
      const onward = connect(target, '127.0.0.1');
      double.keep(socket, onward);
      join(socket, onward);
    });
    for (const server of [double.server, hosts]) await once(server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = [this.server, this.hosts].map((server) => once(server.close(), 'close'));
    this.server.closeAllConnections();
    for (const socket of this.sockets) socket.destroy();
    await Promise.all(closed);
  }

  private keep(...pair: Socket[]): void {
    for (const socket of pair) {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      socket.on('error', () => pair.forEach((one) => one.destroy()));
    }
  }
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
}
