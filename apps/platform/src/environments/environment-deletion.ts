import type { Database } from '@plat/database';
import type { Log } from '@plat/service';
import type { Cluster, NamespaceRemoval } from './cluster';
import {
  blockDeletion,
  type DeletionRow,
  finishDeletion,
  postponeDeletion,
  readExposedHostname,
  whileItsNameIsHeld,
} from './deletion.queries';

/** The dependencies of a deletion. */
export interface DeletionTools {
  database: Database;
  log: Log;
  /** Absent: the deployment runs no clusters, and there is no namespace to remove. */
  cluster?: Cluster | undefined;
  /** Removes the record of a public name; absent if the deployment writes no DNS. */
  unexpose?: ((hostname: string) => Promise<void>) | undefined;
}

export interface DeletionPatience {
  /** Attempts after which the deletion is blocked. */
  attemptsMax: number;
  /** Longest pause between two attempts. The first pause is a second, and each further one twice as long. */
  pauseSecondsMax: number;
}

/**
 * Makes one attempt at a deletion: removes the namespace, then tries to remove the public name, then deletes the
 * environment. Each step may be repeated, so another attempt can follow one that was interrupted. A namespace that may not
 * be removed blocks the deletion at once. Rule E3.
 *
 * @returns seconds until the next attempt; undefined when there is none
 */
export async function attemptDeletion(
  job: DeletionRow,
  tools: DeletionTools & DeletionPatience,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { database, log, attemptsMax } = tools;
  const about = { tenantId: job.tenant_id, environmentId: job.environment_id, attempt: job.attempts };
  const removal = await removeNamespace(job, tools, signal);
  if (removal.state === 'removed') {
    await unexpose(job, tools, about);
    await finishDeletion(database, job);
    log.info(about, 'environment deleted');
    return undefined;
  }
  if (removal.state === 'refused') {
    await block(job, tools, { ...about, reason: removal.reason });
    return undefined;
  }
  const reason = removal.state === 'failed' ? removal.reason : 'The namespace is still terminating.';
  const cause = removal.state === 'failed' ? { err: removal.cause } : {};
  if (job.attempts >= attemptsMax) {
    await block(job, tools, { ...about, reason, ...cause });
    return undefined;
  }
  const pauseSeconds = Math.min(2 ** (job.attempts - 1), tools.pauseSecondsMax);
  await postponeDeletion(database, job, pauseSeconds);
  log.warn({ ...about, reason, ...cause, pauseSeconds }, 'environment deletion postponed');
  return pauseSeconds;
}

async function block(
  job: DeletionRow,
  { database, log }: DeletionTools,
  about: { reason: string },
): Promise<void> {
  await blockDeletion(database, job, about.reason);
  log.error(about, 'environment deletion blocked');
}

async function removeNamespace(
  job: DeletionRow,
  { database, cluster }: DeletionTools,
  signal: AbortSignal,
): Promise<NamespaceRemoval> {
  if (!cluster) return { state: 'removed' };
  const { namespace, environment_id: environmentId, kubernetes_context: context } = job;
  const address = { namespace, environmentId, kubernetesContext: context ?? undefined };
  try {
    return await cluster.removeNamespace(address, signal);
  } catch (error) {
    // The process is stopping: another worker may claim the job at once.
    await postponeDeletion(database, job, 0);
    throw error;
  }
}

/** Removes the record of the environment's public name. A failure is only logged. Spec: Client, Exposure commands. */
async function unexpose(
  job: DeletionRow,
  { database, unexpose, log }: DeletionTools,
  about: object,
): Promise<void> {
  try {
    const hostname = await readExposedHostname(database, job);
    if (hostname === null) return;
    await whileItsNameIsHeld(database, { job, hostname }, async () => unexpose?.(hostname));
  } catch (error) {
    log.warn({ ...about, err: error }, 'the public name of a deleted environment is left');
  }
}
