import pg, { types } from 'pg';
import { DataSource } from 'typeorm';
import { Pipeline } from './pipeline';

export interface ConnectionOptions {
  /** A service's own login, never the owner's. */
  url: string;
  applicationName: string;
  /** Connections kept at most. A small pool beats a large one: each request takes one, once. */
  poolSizeMax: number;
  /** Off behind a pooler that cannot keep named statements. */
  preparedStatements: boolean;
}

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** PostgreSQL's text of a timestamp (session in UTC) as RFC 3339 with all its microseconds, which Date would lose. */
export function rfc3339(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`the session's time zone is not UTC: ${text}`);
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
}

function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === TIMESTAMPTZ) return rfc3339;
  if (oid === INT8) return Number;
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
}

const CONNECT_TIMEOUT_MS = 5_000;
const DRIVER_OPTIONS = { types: { getTypeParser: typeParser }, keepAlive: true };

/** A data source over one service's login. It maps and pools; the schema is the migrations' alone. */
export function createDataSource({ url, applicationName, poolSizeMax }: ConnectionOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    // Else a bundled service would load a second pg at run time, whose errors are not ours.
    driver: pg,
    url,
    applicationName,
    poolSize: poolSizeMax,
    synchronize: false,
    logging: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    installExtensions: false,
    parseInt8: true,
    extra: DRIVER_OPTIONS,
  });
}

/** A pipeline over the same login. It connects when it is first used. */
export function createPipeline({ url, applicationName }: ConnectionOptions): Pipeline {
  return new Pipeline({
    ...DRIVER_OPTIONS,
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
}
