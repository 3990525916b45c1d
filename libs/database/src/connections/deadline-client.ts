import { Client, type ClientConfig, DatabaseError } from 'pg';
import type { DatabaseAddress } from './database-address';
import { NamedPlans } from './named-plans';

/**
 * The database did not answer, or the connection to it was lost: it is unknown whether the statement was carried out.
 */
export class DatabaseSilent extends Error {}

/**
 * The server takes no writes: a standby, or a former primary. Nothing was done. Its connections are given up, since a
 * connection that is made later may reach the primary.
 */
export class DatabaseReadOnly extends DatabaseSilent {
  constructor(options?: ErrorOptions) {
    super('the database server takes no writes', options);
  }
}

/** SQLSTATE of a write on a server that takes none. */
const READ_ONLY_SQL_TRANSACTION = '25006';

/** Whether the server takes no writes: it is a standby, or was made read-only. Its row has `readOnly`. */
export const ASK_READ_ONLY = {
  text: `SELECT current_setting('transaction_read_only') = 'on' AS "readOnly"`,
};

/** @throws DatabaseReadOnly by the row of ASK_READ_ONLY */
export function expectWritable(rows: readonly unknown[]): void {
  if ((rows[0] as { readOnly: boolean }).readOnly) throw new DatabaseReadOnly();
}

export interface DeadlineConfig extends ClientConfig {
  /** Longest time that a statement may take before its connection counts as hung, in milliseconds. */
  deadlineMs: number;
  /** The address of each new connection, with the other settings of the configuration. */
  address: DatabaseAddress;
}

/** How long the database has to close an ended connection. */
const GOODBYE_MS = 1_000;

interface WithStream {
  connection: { stream: { destroy(error?: Error): void } };
}

type Connected = (error: Error | null | undefined, client?: Client) => void;

/**
 * A connection to a server that takes writes, with a deadline for every statement on the client's side. If a statement exceeds it, the connection is
 * ended. Without it, a host that vanishes without a reset would hold the connection for hours, until TCP gives up.
 */
export class DeadlineClient extends Client {
  /** The URL of this connection, which may have been replaced since. */
  readonly url: string;
  private readonly deadlineMs: number;

  constructor({ address, ...config }: DeadlineConfig) {
    super({ ...config, connectionString: address.url, ...tlsOf(address) });
    this.url = address.url;
    this.once('connect', () => address.accepts(this.url));
    this.deadlineMs = config.deadlineMs;
    // The callers have the error by then. Without a listener, the event would end the process.
    this.on('error', () => undefined);
    // The driver has many signatures. Only calls that return a promise get a deadline.
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const plans = new NamedPlans();
    this.query = ((first: unknown, ...more: unknown[]) => {
      const answer = plans.send(first, (named) => query(named, ...more));
      return answer instanceof Promise ? this.waitForAnswer(answer) : answer;
    }) as typeof this.query;
    const end = this.end.bind(this) as (...args: unknown[]) => unknown;
    this.end = ((...args: unknown[]) => {
      this.endInTime();
      return end(...args);
    }) as typeof this.end;
    const connect = this.connect.bind(this) as () => Promise<Client>;
    this.connect = ((callback?: Connected) => {
      const connected = connect().then(() => this.writable());
      if (callback === undefined) return connected;
      return void connected.then(
        () => callback(null, this),
        (error: Error) => callback(error),
      );
    }) as typeof this.connect;
  }

  /** A service address may lead to a standby, as long as nothing was promoted. It would answer reads with the past. */
  private async writable(): Promise<this> {
    try {
      expectWritable((await this.query(ASK_READ_ONLY)).rows);
      return this;
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  /** Ends the connection, even if the other end is gone. */
  private endInTime(): void {
    const timer = setTimeout(() => this.destroy(), GOODBYE_MS).unref();
    this.once('end', () => clearTimeout(timer));
  }

  private destroy(): void {
    (this as unknown as WithStream).connection.stream.destroy();
  }

  private async waitForAnswer<T>(answer: Promise<T>): Promise<T> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.destroy();
    }, this.deadlineMs);
    try {
      return await answer;
    } catch (cause) {
      if ((cause as { code?: unknown }).code === READ_ONLY_SQL_TRANSACTION) {
        this.destroy();
        throw new DatabaseReadOnly({ cause });
      }
      if (late) {
        throw new DatabaseSilent(`the database did not answer within ${this.deadlineMs} ms`, { cause });
      }
      throw isLoss(cause) ? new DatabaseSilent('the connection to the database was lost', { cause }) : cause;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** If authorities are configured, TLS is as libpq's verify-full. Otherwise the URL decides. */
function tlsOf({ certificateAuthorities: ca }: DatabaseAddress): ClientConfig {
  return ca === undefined ? {} : { ssl: { ca, rejectUnauthorized: true } };
}

/** Whether the error is not the database's answer to the statement: the connection is lost or about to close. */
function isLoss(cause: unknown): boolean {
  if (cause instanceof DatabaseError) return cause.severity === 'FATAL' || cause.severity === 'PANIC';
  return !(cause instanceof TypeError);
}

/** Returns the answer, or throws DatabaseSilent after a time without cancelling the work. */
export async function awaitInTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new DatabaseSilent(`no answer within ${milliseconds} ms`));
    timer = setTimeout(fail, milliseconds);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
