import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, schemaSource } from '@plat/database';
import { workspaceRoot } from '@plat/local';
import {
  buildPrograms,
  chartObject,
  claimsOf,
  deployedEnvironment,
  deployedUrl,
  Deployment,
  prepareDatabase,
  ReplicatedDatabase,
  startPooler,
  TokenIssuer,
} from '@plat/testing';
import { usePeers } from '../../peers/use-peers';
import { CommitCutter } from './commit-cutter';

/**
 * The chart's own shape: its variables, files and replicas of each of the five services behind the edge, over a pooler and a PostgreSQL with a
 * synchronous replica. Between the services and the pooler is what cuts connections at COMMIT.
 */
export interface FaultStand {
  database: ReplicatedDatabase;
  cutter: CommitCutter;
  deployment: Deployment;
  /** Alice's. */
  token: string;
  strike(): Promise<void>;
}

export async function setFaultStand(): Promise<FaultStand> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-faults-'));
  const opened: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const open = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    opened.push(() => started.stop());
    return started;
  };
  const strike = async () => {
    for (const close of opened.reverse()) await close();
  };
  try {
    await usePeers('nginx', 'pgbouncer');
    const programs = await buildPrograms(workspaceRoot(), join(folder, 'programs'));
    const issuer = await open(TokenIssuer.start());
    const source = schemaSource(workspaceRoot());
    const prepare = (ownerUrl: string) =>
      prepareDatabase(ownerUrl, issuer.url, (url) => migrate(url, source));
    const database = await open(ReplicatedDatabase.start({ folder, synchronous: true, prepare }));
    const pooler = await open(startPooler(database.address.port));
    const cutter = await open(CommitCutter.start(pooler.port));
    const variables = await deployedEnvironment(folder, (service) => deployedUrl(service, cutter.port));
    const deployment = await open(
      Deployment.start({
        folder,
        programs,
        replicas: chartObject('Deployment', 'plat-reviews').spec.replicas!,
        environment: (service) => ({
          ...variables[service],
          DATABASE_PREPARED_STATEMENTS: 'false',
        }),
      }),
    );
    return { database, cutter, deployment, token: await issuer.token(claimsOf('alice')), strike };
  } catch (error) {
    await strike();
    throw error;
  }
}
