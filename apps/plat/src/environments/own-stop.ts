import type { EnvConfig, EnvironmentName, LastStop } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { openRuntime, requireDeployment } from './runtime-deployment';

/** A slow cluster does not hold up the list. */
const DEADLINE_SECONDS = 10;

/** The state of an environment that may stop itself, as its cluster has it. */
export interface OwnStop {
  /** Whether it has no replica now; absent if the cluster did not say. */
  isStopped?: boolean | undefined;
  lastStop?: LastStop | undefined;
  /** Why the cluster did not say. */
  clusterFault?: string | undefined;
}

/**
 * Reads when and why an environment last stopped itself. Only one of a managed cloud does, so the clusters of all others
 * are not asked. A cluster that does not answer is no failure. Rule H15.
 */
export async function readOwnStop(
  name: EnvironmentName,
  config: EnvConfig | undefined,
  interrupted: AbortSignal,
): Promise<OwnStop> {
  if (config?.cloud === undefined) return {};
  try {
    const place = await openRuntime({ name, config, warnings: [] }, interrupted);
    const { replicas, lastStop } = await requireDeployment(place, { deadlineSeconds: DEADLINE_SECONDS });
    return { isStopped: replicas === 0, lastStop };
  } catch (error) {
    interrupted.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return error.code === 'NOT_DEPLOYED' ? {} : { clusterFault: error.message };
  }
}
