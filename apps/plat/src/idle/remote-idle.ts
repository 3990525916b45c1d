import { clusterFailure } from '../cluster/cluster-failure';
import { type ConfiguredEnvironment } from '../environments/chosen-environment';
import { openRuntime, requireDeployment } from '../environments/runtime-deployment';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableText } from '../terminal/printable';
import type { IdleStatus } from './idle-status';

/**
 * Asks the pod of an environment whether it is idle. The question counts as no activity there. Rule H15.
 *
 * @returns the pod's answer, and what it wrote on stderr
 * @throws Failure ENVIRONMENT_STOPPED, IDLE_UNREADABLE; those of openRuntime and requireDeployment
 */
export async function remoteIdle(
  chosen: ConfiguredEnvironment,
  interrupted: AbortSignal,
): Promise<{ status: IdleStatus; said: string }> {
  const place = await openRuntime(chosen, interrupted);
  const { replicas } = await requireDeployment(place);
  const { tenant, environment } = place.name;
  if (replicas === 0) {
    throw new Failure('ENVIRONMENT_STOPPED', `The environment ${tenant} ${environment} is stopped.`, {
      next: nextStep(
        'plat open',
        [tenant],
        [environment],
        ', which starts it; plat list has the reason of the last stop',
      ),
    });
  }
  const { kubectl } = place.cluster;
  const command = ['env', 'PLAT_IDLE_PROBE=true', 'plat', 'idle', '--json'];
  const args = ['exec', `deploy/${place.names.release}`, '--', ...command];
  const answer = await kubectl.try(args);
  if (answer.code !== 0) throw clusterFailure(kubectl.argv(args), answer);
  return { status: readStatus(answer.stdout), said: printableText(answer.stderr).trim() };
}

function readStatus(text: string): IdleStatus {
  try {
    const status = JSON.parse(text) as IdleStatus;
    if (Array.isArray(status.markers)) return status;
  } catch {
    // Reported below.
  }
  throw new Failure(
    'IDLE_UNREADABLE',
    'The pod gave no idle status: its image has another release of plat.',
    {
      next: 'plat deploy <tenant> <env>, with the release of this client',
    },
  );
}
