import { Registry } from 'prom-client';
import type { ServiceName } from '@plat/contracts/core';
import { Database, LOGIN_ROLES } from '@plat/database';
import { AuditWriter } from './audit-writer';
import type { ServiceConfig } from './config';
import { Identities } from './identity';
import type { Log } from './log';
import { Turns } from './turn';

/** The state of a running service: its connections and caches. */
export interface ServiceContext {
  name: ServiceName;
  log: Log;
  database: Database;
  audit: AuditWriter;
  identities: Identities;
  /** Gives each request its turn. */
  turns: Turns;
  /** The service's own figures for /metrics. */
  metrics: Registry;
  close(): Promise<void>;
}

/**
 * Connects a service to the database with its own login.
 *
 * @throws Error when the database cannot be reached, the login does not belong to this service, or the schema does not
 *   fit
 */
export async function openServiceContext(
  name: ServiceName,
  config: ServiceConfig,
  log: Log,
): Promise<ServiceContext> {
  const databases: Database[] = [];
  const connect = (applicationName: string, poolSizeMax: number) =>
    Database.connect({
      url: config.DATABASE_URL.reveal(),
      applicationName,
      poolSizeMax,
      login: LOGIN_ROLES[name],
      preparedStatements: config.DATABASE_PREPARED_STATEMENTS,
      onReadOnly: () => databases.forEach((each) => each.distrust()),
    });
  const database = await connect(`plat-${name}`, config.DATABASE_POOL_SIZE);
  const trail = await connect(`plat-${name}-audit`, 1).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  databases.push(database, trail);
  return {
    name,
    log,
    database,
    audit: new AuditWriter(trail),
    identities: new Identities(database),
    turns: new Turns(),
    metrics: new Registry(),
    close: async () => {
      await Promise.all([database.close(), trail.close()]);
    },
  };
}
