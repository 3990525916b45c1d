import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A host before a database that can vanish like a lost node: it sends neither a reset nor an answer. */
export class VanishingHost {
  private gone = false;
  private silent = new Set<Socket>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async start(databaseUrl: string): Promise<VanishingHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new VanishingHost(server, new URL(databaseUrl));
  }

  /** The database's address by way of this host. */
  url(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  /** Delivers and answers nothing more, on old and new connections. */
  vanish(): void {
    this.gone = true;
  }

  /** Another host takes its place: new connections are served, the old ones stay silent. */
  comeBack(): void {
    this.gone = false;
    this.silent = new Set(this.sockets);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    const silent = () => this.gone || this.silent.has(socket);
    socket.on('data', (chunk) => silent() || upstream.write(chunk));
    upstream.on('data', (chunk) => silent() || socket.write(chunk));
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        if (!silent()) other.destroy();
      });
    }
  }
}
