import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A program of this machine in the place of a pod's. */
export class PodProgram {
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Starts a program that serves each connection in this way. */
  static async start(serve: (socket: Socket) => void): Promise<PodProgram> {
    const server = createServer();
    const program = new PodProgram(server);
    server.on('connection', serve);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return program;
  }

  /** The port of 127.0.0.1 that it listens at. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How many connections it has. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Ends it and its connections, as the node ends a container. */
  async kill(): Promise<void> {
    for (const socket of this.sockets) socket.resetAndDestroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }
}
