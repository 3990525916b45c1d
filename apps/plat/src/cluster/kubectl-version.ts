import { Failure } from '../terminal/failure';
import { openCluster } from './cluster';

/** It reads nothing but the program itself. */
const DEADLINE_SECONDS = 15;
/** The oldest one that has been tried: that of Debian 12. */
const MINOR_MIN = 20;

/**
 * Checks that kubectl is there, answers, and is not known to be too old, without a call to a cluster.
 *
 * @throws Failure PROGRAM_MISSING, CLUSTER_TIMED_OUT, KUBECTL_UNSUPPORTED
 */
export async function requireKubectl(interrupted?: AbortSignal): Promise<void> {
  const args = ['version', '--client', '--output', 'json'];
  const call = { deadlineSeconds: DEADLINE_SECONDS };
  const said = (await openCluster({}, interrupted).kubectl.run(args, call)).trim();
  const version = /"gitVersion":\s*"(v(\d{1,4})\.(\d{1,4})[^"]{0,60})"/.exec(said);
  const [, name = 'an unknown version', major, minor = '0'] = version ?? [];
  // One that someone built without a version is v0.0.0-master.
  const isOld = Number(major) === 1 && Number(minor) < MINOR_MIN;
  if (version !== null && !isOld) return;
  throw new Failure('KUBECTL_UNSUPPORTED', `kubectl is ${name}; 1.${MINOR_MIN} and newer are supported.`, {
    next: 'install a newer kubectl (https://kubernetes.io/docs/tasks/tools/), then repeat the command',
  });
}
