import type { Client, QueryConfig } from 'pg';
import { DatabaseSilent, DeadlineClient, type DeadlineConfig } from './deadline-client';

/**
 * One connection that sends statements without waiting for the answers of earlier ones, each in a transaction of its own,
 * so that reads share round trips. A statement that may wait for a lock must not use it, because the statements behind it
 * would wait too. It connects with its first statement, and again after the connection was lost.
 */
export class Pipeline {
  private connection: Promise<Client> | undefined;
  /** The client of the connection, once it is made, and its URL. */
  private client: Client | undefined;
  private url: string | undefined;
  private underWay = 0;
  private answeredAt = 0;

  constructor(private readonly config: DeadlineConfig) {}

  /** Statements that have not been answered yet. */
  get load(): number {
    return this.underWay;
  }

  /** @throws Error when the connection is lost before the answer; the statement is not sent again */
  async query<Row>(statement: QueryConfig): Promise<Row[]> {
    const connection = this.current();
    this.underWay++;
    try {
      const { rows } = await (await connection).query<Row & object>(statement);
      this.answeredAt = Date.now();
      return rows;
    } catch (error) {
      // The same if the database has announced that it closes the connection, because the socket ends a moment later.
      if (error instanceof DatabaseSilent) this.forget(connection);
      throw error;
    } finally {
      this.underWay--;
    }
  }

  /** Whether it has a connection, working or not. */
  get isOpen(): boolean {
    return this.connection !== undefined;
  }

  /** When it last had an answer, in milliseconds since 1970; 0 for never. */
  get lastAnswerAt(): number {
    return this.answeredAt;
  }

  /** Ends the connection, and the statements on it. The next statement makes another one. */
  drop(): void {
    const connection = this.connection;
    if (connection === undefined) return;
    this.forget(connection);
    connection.then(
      (client) => client.end(),
      () => undefined,
    );
  }

  async close(): Promise<void> {
    const client = await this.connection?.catch(() => undefined);
    await client?.end();
  }

  private current(): Promise<Client> {
    const { connection } = this;
    if (connection !== undefined && !this.isReplaced()) return connection;
    void connection?.then((client) => client.end()).catch(() => undefined);
    const next = this.connect();
    this.connection = next;
    next.catch(() => this.forget(next));
    return next;
  }

  /** Whether the connection is of a former address and has nothing to do. */
  private isReplaced(): boolean {
    return this.underWay === 0 && this.url !== undefined && this.url !== this.config.address.url;
  }

  private async connect(): Promise<Client> {
    const { address } = this.config;
    const { url } = address;
    try {
      return await this.open();
    } catch (error) {
      if (await address.refuses(url, error)) return this.open();
      throw error;
    }
  }

  private async open(): Promise<Client> {
    const client = new DeadlineClient({ ...this.config, pipeline: true });
    await client.connect();
    const forget = () => {
      if (this.client === client) this.connection = undefined;
    };
    client.once('end', forget).on('error', forget);
    [this.client, this.url] = [client, client.url];
    return client;
  }

  private forget(connection: Promise<Client>): void {
    if (this.connection === connection) this.connection = undefined;
  }
}
