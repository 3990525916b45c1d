import { Registry } from 'prom-client';
import type { ServiceName } from '@plat/contracts/core';
import { Database, DatabaseAddress, LOGIN_ROLES, tryLogin } from '@plat/database';
import { Identities } from '../authentication/identity';
import type { ServiceConfig } from '../configuration/config';
import type { Log } from '../log/log';
import { ServiceSlots } from '../request/request-slots';
import { ActingRequests } from '../steps/acting.guard';
import { AuditWriter } from '../steps/audit-writer';
import { Waiters } from '../waiting/waiters';
import type { Sample } from './sample';

/** The state of a running service: its connections and caches. */
export interface ServiceContext {
  name: ServiceName;
  log: Log;
  database: Database;
  audit: AuditWriter;
  identities: Identities;
  /** Counts the requests that passed the audit step. */
  acting: ActingRequests;
  /** The slots of its requests. */
  slots: ServiceSlots;
  /** The requests that wait for a change of their resource. */
  waiters: Waiters;
  /** For how many months the partitioned table of the service has partitions; PartitionClock sets it. */
  partitions?: () => Sample[];
  /** Whether the database refuses the newest DATABASE_URL, so that the one before it is in use. */
  isNewestUrlRefused(): boolean;
  /** The service's own figures for /metrics. */
  metrics: Registry;
  /** Adds what is to be done when a variable of the configuration has changed. */
  onConfigChange(listener: () => void): void;
  configChanged(): void;
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
  const address = new DatabaseAddress(databaseOf(config), tryLogin);
  address.onRefused = () => log.warn(PASSWORD_REFUSED);
  const listeners = [() => address.replace(databaseOf(config))];
  const databases: Database[] = [];
  const connect = (applicationName: string, poolSizeMax: number) =>
    Database.connect({
      url: address,
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
    acting: new ActingRequests(),
    identities: new Identities(database),
    slots: new ServiceSlots(),
    waiters: new Waiters(database, log),
    metrics: new Registry(),
    isNewestUrlRefused: () => address.isNewestRefused,
    onConfigChange: (listener) => void listeners.push(listener),
    configChanged: () => listeners.forEach((listener) => listener()),
    close: async () => {
      address.close();
      await Promise.all([database.close(), trail.close()]);
    },
  };
}

const PASSWORD_REFUSED =
  'the database refuses the new DATABASE_URL; requests go on with the one before until it is accepted';

const databaseOf = ({ DATABASE_URL, DATABASE_CA }: ServiceConfig) => ({
  url: DATABASE_URL.reveal(),
  certificateAuthorities: DATABASE_CA,
});
