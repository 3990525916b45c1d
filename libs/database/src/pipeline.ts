import type { Client, QueryConfig } from 'pg';
import { DatabaseSilent, DeadlineClient, type DeadlineConfig } from './deadline-client';

/**
 * One connection on which statements follow each other without waiting for answers, each in a transaction of its own:
 * a read then costs its share of a round trip. Not for what may wait for a lock, or the statements behind it wait too.
 * It connects with its first statement, and anew after the connection was lost.
 */
export class Pipeline {
  private connection: Promise<Client> | undefined;
  private underWay = 0;
  private answeredAt = 0;

  constructor(private readonly config: DeadlineConfig) {}

  /** Statements that have not been answered yet. */
  get load(): number {
    return this.underWay;
  }

  /** @throws Error when the connection is lost before the answer; the statement is not sent again */
  async query<Row>(statement: QueryConfig): Promise<Row[]> {
    const connection = (this.connection ??= this.connect());
    this.underWay++;
    try {
      const { rows } = await (await connection).query<Row & object>(statement);
      this.answeredAt = Date.now();
      return rows;
    } catch (error) {
      // Also where the database has said that it closes this connection: the socket only ends a moment later.
      if (error instanceof DatabaseSilent) this.forget(connection);
      throw error;
    } finally {
      this.underWay--;
    }
  }

  /** Whether it has a connection, which may hang. */
  get isOpen(): boolean {
    return this.connection !== undefined;
  }

  /** When it last had an answer, in milliseconds since 1970; 0 for never. */
  get lastAnswerAt(): number {
    return this.answeredAt;
  }

  async close(): Promise<void> {
    const client = await this.connection?.catch(() => undefined);
    await client?.end();
  }

  private connect(): Promise<Client> {
    const client = new DeadlineClient({ ...this.config, pipeline: true });
    const connection = client.connect();
    const forget = () => this.forget(connection);
    client.once('end', forget).on('error', forget);
    connection.catch(forget);
    return connection;
  }

  private forget(connection: Promise<Client>): void {
    if (this.connection === connection) this.connection = undefined;
  }
}
