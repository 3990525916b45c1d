import type { ToolAnswer } from '../cluster/run-tool';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { Progress } from '../terminal/progress';
import { requireDeployment, type RuntimePlace, scaleArgs } from './runtime-deployment';

/** Longest wait for a pod, in seconds: a large image may have to be fetched first. */
const READY_SECONDS_MAX = 600;

/** Arguments of kubectl that wait until the Deployment's pod can be reached. */
export function waitArgs({ names }: RuntimePlace): string[] {
  return ['rollout', 'status', `deployment/${names.release}`, `--timeout=${READY_SECONDS_MAX}s`];
}

/**
 * Scales a stopped environment to 1 and waits until its pod can be reached. Decision H8.
 *
 * @param unmark notes that it is no longer stopped; called before the wait, because a pod that is asked for and never
 *   ready is not stopped either
 * @returns whether it was started
 * @throws Failure NOT_DEPLOYED; POD_NOT_READY with what the cluster says about the pod; those of kubectl
 */
export async function wake(
  place: RuntimePlace,
  progress: Progress,
  unmark: () => Promise<void>,
): Promise<boolean> {
  const { cluster, names } = place;
  const { replicas, available } = await requireDeployment(place);
  if (replicas === 0) {
    await progress(`Starting ${names.release}`, cluster.kubectl.run(scaleArgs(names, 1)));
  }
  await unmark();
  if (replicas > 0 && available > 0) return false;
  const deadlineSeconds = READY_SECONDS_MAX + 30;
  const wait = cluster.kubectl.try(waitArgs(place), { deadlineSeconds });
  const answer = await progress(`Waiting for the pod of ${names.release}`, wait);
  if (answer.code !== 0) throw await notReady(place, answer);
  return replicas === 0;
}

interface PodList {
  items: ReadonlyArray<{
    status?: {
      conditions?: ReadonlyArray<{ type: string; status: string; message?: string }>;
      containerStatuses?: ReadonlyArray<{ state?: { waiting?: { reason?: string; message?: string } } }>;
    };
  }>;
}

async function notReady({ cluster, names }: RuntimePlace, answer: ToolAnswer): Promise<Failure> {
  const args = [
    'get',
    'pods',
    '--selector',
    `app.kubernetes.io/instance=${names.release}`,
    '--output',
    'json',
  ];
  const pods = await cluster.kubectl.try(args);
  const reasons = pods.code === 0 ? podReasons(JSON.parse(pods.stdout) as PodList) : [];
  const why = reasons.length === 0 ? answer.stderr.trim() : reasons.join('; ');
  return new Failure('POD_NOT_READY', `The pod of ${names.release} cannot be reached: ${why}`, {
    details: { namespace: names.namespace, reasons },
    next: nextStep(cluster.kubectl.argv(['describe', 'pods'])),
  });
}

/** Lists the reasons that keep pods from running: a container that waits, or a pod that no node takes. */
function podReasons({ items }: PodList): string[] {
  return items.flatMap(({ status }) => {
    const waiting = (status?.containerStatuses ?? []).flatMap(({ state }) =>
      state?.waiting ? [[state.waiting.reason, state.waiting.message].filter(Boolean).join(': ')] : [],
    );
    const unplaced = (status?.conditions ?? []).filter(
      ({ type, status: met }) => type === 'PodScheduled' && met === 'False',
    );
    return [...waiting, ...unplaced.map(({ message }) => message ?? 'no node takes it')];
  });
}
