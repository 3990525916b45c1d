import { Client, type ClientConfig, DatabaseError, type QueryConfig } from 'pg';

/**
 * One connection on which statements follow each other without waiting for answers, each in a transaction of its own:
 * a read then costs its share of a round trip. Not for what may wait for a lock, or the statements behind it wait too.
 * It connects with its first statement, and anew after the connection was lost.
 */
export class Pipeline {
  private connection: Promise<Client> | undefined;
  private underWay = 0;

  constructor(private readonly config: ClientConfig) {}

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
      return rows;
    } catch (error) {
      // The database has said that it closes this connection; the socket only ends a moment later.
      if (error instanceof DatabaseError && error.severity === 'FATAL') this.forget(connection);
      throw error;
    } finally {
      this.underWay--;
    }
  }

  async close(): Promise<void> {
    const client = await this.connection?.catch(() => undefined);
    await client?.end();
  }

  private connect(): Promise<Client> {
    const client = new Client({ ...this.config, pipeline: true });
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
