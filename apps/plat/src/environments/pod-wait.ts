import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import type { Progress } from '../terminal/progress';
import { type EventObject, type PodObject, podTroubles } from './pod-troubles';
import { requireDeployment, type RuntimePlace } from './runtime-deployment';
import { type PodTrouble, type TroubleKind, troubleText, TroubleWatch } from './trouble-watch';

/** Longest wait for a pod, in seconds: a large image may have to be fetched first. */
export const READY_SECONDS_MAX = 600;
/** Between two looks. A reason is shown within five seconds. */
const LOOK_SECONDS = 2;
/** Longest time without an answer of the cluster: its API server may start again meanwhile. */
const SILENT_SECONDS_MAX = 30;

/** Writes a line about the pod for the person. */
export type ShowTrouble = (line: string) => void;

/**
 * Waits until the pod of an environment can be reached. Shows each new reason for which it cannot. A reason that no wait
 * would mend ends the wait, once it has lasted for some time. Rule H8.
 *
 * @throws Failure POD_NOT_READY with what the cluster says about the pod; NOT_DEPLOYED; those of kubectl
 */
export async function waitForPod(place: RuntimePlace, progress: Progress, show: ShowTrouble): Promise<void> {
  const { release } = place.names;
  const watch = new TroubleWatch((trouble) => show(`${release}: ${troubleText(trouble)}`));
  await progress(`Waiting for the pod of ${release}`, lookUntilReady(place, watch));
}

async function lookUntilReady(place: RuntimePlace, watch: TroubleWatch): Promise<void> {
  const until = Date.now() + READY_SECONDS_MAX * 1000;
  let answeredAt = Date.now();
  for (;;) {
    const found = await look(place).catch((error: unknown) => {
      const isSilent = error instanceof Failure && error.code === 'CLUSTER_UNREACHABLE';
      if (!isSilent || Date.now() - answeredAt > SILENT_SECONDS_MAX * 1000) throw error;
      return undefined;
    });
    if (found !== undefined) {
      answeredAt = Date.now();
      if (found.available) return;
      if (watch.take(found.troubles, answeredAt)) throw notReady(place, watch);
    }
    if (Date.now() > until) throw notReady(place, watch);
    const pause = delay(LOOK_SECONDS * 1000, undefined, { signal: place.interrupted });
    await pause.catch(() => place.interrupted.throwIfAborted());
  }
}

async function look(place: RuntimePlace): Promise<{ available: boolean; troubles: PodTrouble[] }> {
  const { cluster, names } = place;
  // A person who may not read one of them gets the others.
  const list = async <T>(...args: string[]): Promise<T[]> => {
    const { code, stdout } = await cluster.kubectl.try(['get', ...args, '--output', 'json']);
    return code === 0 && stdout.trim() !== '' ? (JSON.parse(stdout) as { items: T[] }).items : [];
  };
  const [{ available, refusal }, pods, events] = await Promise.all([
    requireDeployment(place),
    list<PodObject>('pods', '--selector', `app.kubernetes.io/instance=${names.release}`),
    list<EventObject>('events', '--field-selector', 'type=Warning'),
  ]);
  return { available: available > 0, troubles: podTroubles({ refusal, pods, events }) };
}

function notReady(place: RuntimePlace, watch: TroubleWatch): Failure {
  const { names } = place;
  const troubles = watch.latest();
  const reasons = troubles.map(troubleText);
  const why = reasons.length === 0 ? `it is not ready after ${READY_SECONDS_MAX} s` : reasons.join('; ');
  return new Failure('POD_NOT_READY', `The pod of ${names.release} cannot be reached: ${why}`, {
    details: { namespace: names.namespace, reasons },
    next: helpFor(place, (troubles.find(({ mends }) => !mends) ?? troubles[0])?.kind),
  });
}

/** The command that shows more about the trouble, or ends it. */
function helpFor({ cluster, names, name }: RuntimePlace, kind: TroubleKind | undefined): NextStep {
  const { tenant, environment } = name;
  const deploy = nextStep('plat deploy', [tenant], [environment]);
  switch (kind) {
    case 'image':
      return nextStep(
        'name an image that exists (plat config set runtimeVersion or runtimeImage, with --tenant',
        [tenant],
        '--environment',
        [environment],
        '), or sign in to its registry (docker login); then',
        deploy,
      );
    case 'missing':
      return nextStep('create what the message names, unless plat deploy makes it; then', deploy);
    case 'crash':
      return nextStep(cluster.kubectl.argv(['logs', `deployment/${names.release}`, '--previous']));
    case 'other':
    case undefined:
      return nextStep(cluster.kubectl.argv(['describe', 'pods']));
  }
}
