import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@plat/contracts/core';
import { type EmbeddedCluster, startCluster } from '@plat/embedded';
import {
  claimsOf,
  type DeployedEnvironment,
  deployedEnvironment,
  deployedUrl,
  Deployment,
  prepareDatabase,
  type Programs,
  TokenIssuer,
  Traffic,
} from '@plat/testing';
import type { LastRelease } from './last-release';

const CLIENTS = 6;

/** A PostgreSQL of its own with an issuer, over which releases are deployed. */
export class RolloutStand {
  private readonly deployments: Deployment[] = [];

  private constructor(
    readonly folder: string,
    private readonly cluster: EmbeddedCluster,
    private readonly issuer: TokenIssuer,
    private readonly variables: DeployedEnvironment,
  ) {}

  /** Starts the stand with the schema of the last release. */
  static async set(last: LastRelease): Promise<RolloutStand> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-rollout-'));
    const cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    const issuer = await TokenIssuer.start();
    await prepareDatabase(cluster.url(), issuer.url, (ownerUrl) => last.migrate(ownerUrl));
    const variables = await deployedEnvironment(folder, (service) => deployedUrl(service, cluster.port));
    return new RolloutStand(folder, cluster, issuer, variables);
  }

  get ownerUrl(): string {
    return this.cluster.url();
  }

  /** Returns the variables that the chart gives a service. */
  environment(service: ServiceName): Record<string, string> {
    return this.variables[service];
  }

  /** Two replicas of each service behind the edge. */
  async deploy(programs: Programs): Promise<Deployment> {
    const environment = this.environment.bind(this);
    const deployment = await Deployment.start({ folder: this.folder, programs, replicas: 2, environment });
    this.deployments.push(deployment);
    return deployment;
  }

  /** Begins to send requests through the edge. */
  load({ url }: Deployment): Traffic {
    return new Traffic(url, () => this.issuer.token(claimsOf('alice')), CLIENTS);
  }

  async strike(): Promise<void> {
    await Promise.all(this.deployments.map((deployment) => deployment.stop()));
    await Promise.all([this.issuer.stop(), this.cluster.stop()]);
    await rm(this.folder, { recursive: true });
  }
}
