import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Statements that write, as their messages name them. The last one ends a transaction of several. */
const WRITES = ['reviews.create_review', 'builds.report_review_build', 'reviews.advance', 'COMMIT'];
/** The frontend message that ends a statement of the extended protocol and commits it. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

/**
 * A proxy between the services and PostgreSQL that cuts a connection after it has forwarded a commit: the database may
 * commit, but the service gets no answer. Random kills rarely hit that moment.
 */
export class CommitCutter {
  /** Commits that were cut off so far. */
  cuts = 0;
  private wanted = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly databasePort: number,
  ) {
    server.on('connection', (client) => this.pass(client));
  }

  static async start(databasePort: number): Promise<CommitCutter> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CommitCutter(server, databasePort);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Cuts off the next commit that passes. */
  cutNext(): void {
    this.wanted += 1;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(client: Socket): void {
    const database = connect(this.databasePort, '127.0.0.1');
    let cut: 'no' | 'at the answer' = 'no';
    const end = (): void => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.setNoDelay(true).on('error', end);
      socket.once('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => {
      database.write(chunk);
      if (this.wanted === 0 || !commits(chunk)) return;
      this.wanted -= 1;
      this.cuts += 1;
      // Alternates between the moment before the database can have answered, and the one after.
      if (this.cuts % 2 === 0) cut = 'at the answer';
      else database.end(() => client.destroy());
    });
    database.on('data', (chunk) => {
      if (cut === 'no') client.write(chunk);
      else end();
    });
  }
}

function commits(chunk: Buffer): boolean {
  const complete = chunk.subarray(-SYNC.length).equals(SYNC) || chunk[0] === 'Q'.charCodeAt(0);
  return complete && WRITES.some((name) => chunk.includes(name));
}
