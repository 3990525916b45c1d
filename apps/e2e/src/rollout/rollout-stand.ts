import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { ServiceName } from '@plat/contracts/core';
import { applyDirectory, LOGIN_ROLES, setLoginPasswords } from '@plat/database';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import { examineDatabase } from '@plat/invariants';
import { claimsOf, Deployment, type Programs, testDirectory, TokenIssuer, Traffic } from '@plat/testing';

const PASSWORD = 'rollout';
const CLIENTS = 6;

/** A PostgreSQL of its own with an issuer, over which releases are deployed. */
export class RolloutStand {
  private readonly deployments: Deployment[] = [];

  private constructor(
    readonly folder: string,
    private readonly cluster: EmbeddedCluster,
    private readonly issuer: TokenIssuer,
  ) {}

  /** @param migrate makes the schema */
  static async set(migrate: (ownerUrl: string) => Promise<unknown>): Promise<RolloutStand> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-rollout-'));
    const cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    const stand = new RolloutStand(folder, cluster, await TokenIssuer.start());
    await migrate(stand.ownerUrl);
    const roles = Object.values(LOGIN_ROLES);
    await setLoginPasswords(stand.ownerUrl, Object.fromEntries(roles.map((role) => [role, PASSWORD])));
    await applyDirectory(stand.ownerUrl, testDirectory(stand.issuer.url));
    return stand;
  }

  get ownerUrl(): string {
    return this.cluster.url();
  }

  environment(service: ServiceName): Record<string, string> {
    const url = `postgres://${LOGIN_ROLES[service]}:${PASSWORD}@127.0.0.1:${this.cluster.port}/postgres`;
    return { DATABASE_URL: url, ALLOW_HTTP_ISSUERS: 'true', LOG_LEVEL: 'error' };
  }

  /** Two replicas of each service behind the edge. */
  async deploy(programs: Programs): Promise<Deployment> {
    const environment = (service: ServiceName) => this.environment(service);
    const deployment = await Deployment.start({ folder: this.folder, programs, replicas: 2, environment });
    this.deployments.push(deployment);
    return deployment;
  }

  /** Begins to send requests through the edge. */
  load({ url }: Deployment): Traffic {
    return new Traffic(url, () => this.issuer.token(claimsOf('alice')), CLIENTS);
  }

  /** What is not as promised after the traffic, in words. */
  async judge({ failed, answered, acknowledged }: Traffic): Promise<string[]> {
    const owner = new Client({ connectionString: this.ownerUrl });
    await owner.connect();
    const ids = async (sql: string) => (await owner.query<{ id: string }>(sql)).rows.map(({ id }) => id);
    try {
      const audited = await ids('SELECT caller_request_id AS id FROM audit.audit_events');
      const reviews = new Set(await ids('SELECT review_id AS id FROM reviews.reviews'));
      const builds = new Set(await ids('SELECT build_id AS id FROM builds.builds'));
      const once = new Set(audited);
      return [
        ...failed.map((each) => `failed: ${JSON.stringify(each)}`),
        ...(await examineDatabase(this.ownerUrl)).map(({ promise }) => `broken: ${promise}`),
        ...answered.filter((id) => !once.has(id)).map((id) => `no audit row: ${id}`),
        ...(once.size < audited.length ? ['a request has two audit rows'] : []),
        ...acknowledged.reviews.filter((id) => !reviews.has(id)).map((id) => `lost review: ${id}`),
        ...acknowledged.builds.filter((id) => !builds.has(id)).map((id) => `lost build: ${id}`),
      ];
    } finally {
      await owner.end();
    }
  }

  async strike(): Promise<void> {
    await Promise.all(this.deployments.map((deployment) => deployment.stop()));
    await Promise.all([this.issuer.stop(), this.cluster.stop()]);
    await rm(this.folder, { recursive: true });
  }
}
