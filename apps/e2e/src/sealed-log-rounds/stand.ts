import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { ApiClient } from '@plat/api-client';
import { auditService } from '@plat/audit';
import { Database, LOGIN_ROLES } from '@plat/database';
import { Secret, type ServiceContext } from '@plat/service';
import { claimsOf, newSigningKey, startTestService, TEST_TENANTS, type TestService } from '@plat/testing';
import { FUSE } from './fuse';
import { SAVED_TABLES } from './saved-log';

/** The host in the names of the logs. */
export const HOST = 'plat.example';
export const TENANT = TEST_TENANTS.acme.tenantId;
/** The other tenant whose rows the same sealers seal. */
export const NEIGHBOUR = TEST_TENANTS.globex.tenantId;

/** The application name of the connections of sealers. */
const SEALER = 'sealing';
/** Rounds after which the space of deleted rows is used again: the test cluster has no autovacuum. */
const ROUNDS_A_VACUUM = 50;
/** The number of connections of all sealers together. */
export const CONNECTIONS = 6;
const WRITERS = 50;

/** Drops the partitions of the trail that stay empty: each costs the planning of every statement about the trail. */
const DROP_PARTITIONS = `
  DO $$
  DECLARE month text;
  BEGIN
    FOR month IN SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'audit.audit_events'::regclass
                  AND inhrelid::regclass::text NOT IN (
                    to_char(now() AT TIME ZONE 'UTC', '"audit.audit_events_"YYYY_MM'),
                    to_char(now() AT TIME ZONE 'UTC' + interval '1 month', '"audit.audit_events_"YYYY_MM'))
    LOOP
      EXECUTE 'DROP TABLE ' || month;
    END LOOP;
  END $$`;
/** Ends the transaction of a round that failed, too. */
const CLEAN = `
  ROLLBACK; DELETE FROM ledger.logs; DELETE FROM ledger.entries; DELETE FROM ledger.tiles; DELETE FROM ledger.erasures;
  DELETE FROM audit.audit_events; DELETE FROM reviews.later_contents; DELETE FROM reviews.verifications;
  DELETE FROM reviews.reviews;`;
const VACUUM =
  'VACUUM ledger.logs, ledger.entries, ledger.tiles, ledger.erasures, audit.audit_events, reviews.reviews';

/** A signing key, as the service is given it. */
export interface LedgerKey {
  pem: string;
  key: KeyObject;
}

export function newLedgerKey(): LedgerKey {
  const pem = newSigningKey();
  return { pem, key: createPrivateKey(pem) };
}

/**
 * One database for all rounds, with the audit service over it, whose own sealer does not run; the sealers of a round have
 * connections of their own.
 */
export class LogStand {
  private rounds = 0;

  private constructor(
    readonly service: TestService,
    /** Connections of the owner, one a writer. */
    readonly writers: Pool,
    /** The owner's connection on which no trigger and no foreign key acts. */
    readonly forced: Client,
    /** The connections of sealers. */
    readonly sealing: Database,
    private readonly audit: RunningAudit,
    private readonly folder: string,
  ) {}

  static async set(): Promise<LogStand> {
    const audit = new RunningAudit();
    const service = await startTestService(audit.definition);
    const { ownerUrl, url } = service.database;
    const writers = new Pool({ connectionString: ownerUrl, max: WRITERS, idleTimeoutMillis: 0 });
    await writers.query(DROP_PARTITIONS);
    await writers.query(FUSE);
    await writers.query(SAVED_TABLES);
    const forced = new Client({ connectionString: ownerUrl });
    await forced.connect();
    await forced.query('SET session_replication_role = replica');
    const sealing = await Database.connect({
      url: url(LOGIN_ROLES.audit),
      applicationName: SEALER,
      poolSizeMax: CONNECTIONS,
      preparedStatements: false,
    });
    const folder = await mkdtemp(join(tmpdir(), 'plat-log-rounds-'));
    return new LogStand(service, writers, forced, sealing, audit, folder);
  }

  /** Removes what a round has left, and makes a folder for the next one. */
  async begin(): Promise<string> {
    await this.forced.query(CLEAN);
    this.rounds += 1;
    if (this.rounds % ROUNDS_A_VACUUM === 0) await this.forced.query(VACUUM);
    return mkdtemp(join(this.folder, 'round-'));
  }

  /** The keys that the service shows as signing; a rotation of its configuration. */
  showKeys(keys: readonly LedgerKey[]): void {
    this.audit.rotate(keys);
  }

  /** The API, as alice of the tenant. */
  async api(): Promise<ApiClient> {
    const token = await this.service.issuer.token(claimsOf('alice'));
    return new ApiClient({ baseUrl: this.service.url, tokens: { current: () => token } });
  }

  /** Ends the connections of all sealers, whatever they are doing. */
  async cutSealers(): Promise<void> {
    await this.writers.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1`,
      [SEALER],
    );
  }

  async strike(): Promise<void> {
    await this.forced.query(`${CLEAN} DROP SCHEMA rounds CASCADE`);
    await Promise.all([this.forced.end(), this.writers.end(), this.sealing.close()]);
    await Promise.all([this.service.stop(), rm(this.folder, { recursive: true })]);
  }
}

/** The audit service without its own sealer, and with keys that a round replaces as an operator does. */
class RunningAudit {
  private rotated: (keys: readonly LedgerKey[]) => void = () => undefined;

  readonly definition: typeof auditService = {
    ...auditService,
    module: (context: ServiceContext, config) => {
      this.rotated = ([first, second]) => {
        config.LEDGER_KEY = first && new Secret(first.pem);
        config.LEDGER_SECOND_KEY = second && new Secret(second.pem);
        context.configChanged();
      };
      return auditService.module(context, Object.assign(config, { LEDGER_HOST: undefined }));
    },
  };

  rotate(keys: readonly LedgerKey[]): void {
    this.rotated(keys);
  }
}
