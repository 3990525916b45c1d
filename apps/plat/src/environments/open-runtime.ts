import type { Progress } from '../terminal/progress';
import { type ShowTrouble, waitForPod } from './pod-wait';
import { requireDeployment, type RuntimePlace, scaleArgs } from './runtime-deployment';

/** The caller's part in a start. */
interface Waking {
  progress: Progress;
  show: ShowTrouble;
  /**
   * Notes that it is no longer stopped. Called before the wait, because a pod that is asked for and never ready is not
   * stopped either.
   */
  unmark(): Promise<void>;
}

/**
 * Scales a stopped environment to 1 and waits until its pod can be reached. Rule H8.
 *
 * @returns whether it was started
 * @throws Failure NOT_DEPLOYED; POD_NOT_READY with what the cluster says about the pod; those of kubectl
 */
export async function wake(place: RuntimePlace, { progress, show, unmark }: Waking): Promise<boolean> {
  const { cluster, names } = place;
  const { replicas, available } = await requireDeployment(place);
  if (replicas === 0) {
    await progress(`Starting ${names.release}`, cluster.kubectl.run(scaleArgs(names, 1)));
  }
  await unmark();
  if (replicas > 0 && available > 0) return false;
  await waitForPod(place, progress, show);
  return replicas === 0;
}
