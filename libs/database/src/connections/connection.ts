import pg, { types } from 'pg';
import { DataSource } from 'typeorm';
import { type AddressParts, DatabaseAddress } from './database-address';
import { DeadlineClient } from './deadline-client';
import { Pipeline } from './pipeline';

export interface ConnectionOptions {
  /** A service's own login, never the owner's. An address can be replaced while the connections are in use. */
  url: string | DatabaseAddress;
  applicationName: string;
  /** Most connections. A small pool is enough, since each request takes one connection once. */
  poolSizeMax: number;
  /** Whether statements are prepared by name; false behind a pooler that cannot keep named statements. */
  preparedStatements: boolean;
  /** The login role that the URL must have; any when absent. */
  login?: string;
  /** Called if a server takes no writes, so that other connections to it can be closed too. */
  onReadOnly?: () => void;
  /** How long statements may take, by kind; default DEADLINES. */
  deadlines?: Deadlines;
}

/** Longest times before a connection counts as hung, in milliseconds. */
export interface Deadlines {
  /** The deadline of any statement; longer than the login's own lock timeout. */
  statementMs: number;
  /** The deadline of a read by key. */
  findMs: number;
  /** The deadline of a ping, and of making a connection. */
  pingMs: number;
}

export const DEADLINES: Deadlines = { statementMs: 12_000, findMs: 5_000, pingMs: 3_000 };

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** PostgreSQL's text of a timestamp (session in UTC) as RFC 3339 with all its microseconds, which Date would lose. */
function rfc3339(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`the session's time zone is not UTC: ${text}`);
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
}

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === TIMESTAMPTZ) return rfc3339;
  if (oid === INT8) return Number;
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
}

/** Idle time after which the system checks that the other end is still there. */
const KEEP_ALIVE_MS = 10_000;
const DRIVER_OPTIONS = {
  types: { getTypeParser: typeParser },
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
};

/** The address that the options name. */
export const addressOf = ({ url }: Pick<ConnectionOptions, 'url'>): DatabaseAddress =>
  typeof url === 'string' ? new DatabaseAddress({ url }) : url;

/** A data source over one service's login. It maps rows and pools connections, and never changes the schema. */
export function createDataSource(options: ConnectionOptions, address = addressOf(options)): DataSource {
  const { applicationName, poolSizeMax, deadlines = DEADLINES } = options;
  return new DataSource({
    type: 'postgres',
    // Otherwise a bundled service would load a second pg at run time, whose errors are of other classes.
    driver: pg,
    url: address.url,
    applicationName,
    poolSize: poolSizeMax,
    synchronize: false,
    logging: false,
    connectTimeoutMS: deadlines.pingMs,
    installExtensions: false,
    parseInt8: true,
    extra: { ...DRIVER_OPTIONS, Client: DeadlineClient, address, deadlineMs: deadlines.statementMs },
  });
}

/** A pipeline over the same login. It connects when it is first used. */
export function createPipeline(options: ConnectionOptions, address = addressOf(options)): Pipeline {
  const { applicationName, deadlines = DEADLINES } = options;
  return new Pipeline({
    ...DRIVER_OPTIONS,
    address,
    application_name: applicationName,
    connectionTimeoutMillis: deadlines.pingMs,
    deadlineMs: deadlines.findMs,
  });
}

/** Makes one connection and ends it. @throws Error if the login is refused, or the server takes no writes or does not answer */
export async function tryLogin(parts: AddressParts): Promise<void> {
  const client = new DeadlineClient({
    address: new DatabaseAddress(parts),
    application_name: 'plat-login',
    connectionTimeoutMillis: DEADLINES.pingMs,
    deadlineMs: DEADLINES.pingMs,
  });
  await client.connect();
  await client.end();
}
