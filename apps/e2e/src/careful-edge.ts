import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

interface Replica {
  url: string;
  agent: Agent;
}

/**
 * An edge like a deployment's: it sends requests to its replicas in turn over kept connections. It tries another replica
 * only if a connection is refused, so that no request that may have been taken is sent twice.
 */
export class CarefulEdge {
  private readonly replicas: Replica[] = [];
  private next = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (incoming, outgoing) => void this.pass(incoming, outgoing));
  }

  static async start(): Promise<CarefulEdge> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CarefulEdge(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(url: string): void {
    this.replicas.push({ url, agent: new Agent({ keepAlive: true }) });
  }

  /** Sends no new request to the replica. Requests under way go on. */
  remove(url: string): void {
    const place = this.replicas.findIndex((replica) => replica.url === url);
    this.replicas.splice(place, 1);
  }

  async close(): Promise<void> {
    for (const { agent } of this.replicas) agent.destroy();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    this.send(incoming, outgoing, { body: Buffer.concat(chunks), attempts: this.replicas.length });
  }

  private send(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { body, attempts }: { body: Buffer; attempts: number },
  ): void {
    const { url, agent } = this.replicas[this.next++ % this.replicas.length]!;
    const { method, headers, url: path } = incoming;
    const passed = request(url + path, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && attempts > 1) {
        this.send(incoming, outgoing, { body, attempts: attempts - 1 });
      } else {
        outgoing.writeHead(502).end(error.message);
      }
    });
    passed.end(body);
  }
}
