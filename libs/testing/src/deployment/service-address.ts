import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * An address of TCP that leads to one server at a time, as a service address, a virtual IP or a pooler does before a
 * database.
 */
export class ServiceAddress {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isPaused = false;

  private constructor(
    private readonly server: Server,
    private target: number,
  ) {
    server.on('connection', (client) => this.pass(client));
  }

  /** @param target a port of 127.0.0.1 */
  static async start(target: number): Promise<ServiceAddress> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ServiceAddress(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Leads to another server from now on, and ends all connections to the former one. */
  switchTo(target: number): void {
    this.target = target;
    this.cut();
  }

  /** Delivers nothing more on any connection, as a network that is cut. */
  pause(): void {
    this.isPaused = true;
  }

  /** Ends all connections. */
  cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private pass(client: Socket): void {
    const database = connect(this.target, '127.0.0.1');
    const pair = [client, database] as const;
    this.pairs.add(pair);
    for (const [one, other] of [pair, [database, client] as const]) {
      one.setNoDelay(true);
      one.on('data', (chunk) => {
        if (!this.isPaused) other.write(chunk);
      });
      one.on('error', () => undefined);
      one.on('close', () => {
        this.pairs.delete(pair);
        other.destroy();
      });
    }
  }
}
