import type { PodTrouble, TroubleKind } from './trouble-watch';

/** A pod, as far as it shows why it does not run. */
export interface PodObject {
  metadata?: { uid?: string; deletionTimestamp?: string };
  status?: {
    conditions?: ReadonlyArray<Cause & { type: string; status: string }>;
    containerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  state?: { waiting?: Cause; terminated?: Cause & { exitCode?: number } };
}
interface Cause {
  reason?: string;
  message?: string;
}

/** An event of the cluster. */
export interface EventObject extends Cause {
  involvedObject?: { uid?: string };
}

/** One look at the pods of a Deployment. */
export interface PodLook {
  /** Message of the cluster if it makes no pod. */
  refusal?: string | undefined;
  pods: readonly PodObject[];
  /** Warnings about anything in the namespace. */
  events: readonly EventObject[];
}

/** Reasons for which a container waits. The cluster may end any other by itself. */
const WAITING: Readonly<Record<string, TroubleKind>> = {
  ErrImagePull: 'image',
  ImagePullBackOff: 'image',
  InvalidImageName: 'image',
  ErrImageNeverPull: 'image',
  CreateContainerConfigError: 'missing',
  CreateContainerError: 'other',
  RunContainerError: 'crash',
  CrashLoopBackOff: 'crash',
};
/** Steps of every start. */
const STEPS = ['ContainerCreating', 'PodInitializing'];
/** The status of a pod does not show these. */
const EVENT_REASONS = [
  'FailedMount',
  'FailedAttachVolume',
  'FailedCreatePodSandBox',
  'FailedToRetrieveImagePullSecret',
];
const MISSING_OBJECT = /\b(secret|configmap) "[^"]*" not found|references non-existent (secret|config) key/;
const LACK_OF_ROOM = /exceeded quota/;

/** Reads what keeps the pod from running. One that is being deleted says nothing about the next one. */
export function podTroubles({ refusal, pods, events }: PodLook): PodTrouble[] {
  const refused: PodTrouble[] =
    refusal === undefined
      ? []
      : [{ kind: 'other', reason: 'FailedCreate', message: refusal, mends: LACK_OF_ROOM.test(refusal) }];
  const current = pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  return [
    ...refused,
    ...current.flatMap((pod) => [
      ...readPlacement(pod),
      ...readContainers(pod),
      ...events.filter(({ involvedObject }) => involvedObject?.uid === pod.metadata?.uid).flatMap(readEvent),
    ]),
  ];
}

/** No node takes the pod. The cluster may make room. */
function readPlacement({ status }: PodObject): PodTrouble[] {
  return (status?.conditions ?? [])
    .filter(({ type, status: met }) => type === 'PodScheduled' && met === 'False')
    .map(({ reason = 'Unschedulable', message = 'no node takes it' }) => ({
      kind: 'other',
      reason,
      message,
      mends: true,
    }));
}

function readContainers({ status }: PodObject): PodTrouble[] {
  return (status?.containerStatuses ?? []).flatMap(({ state }): PodTrouble[] => {
    const { waiting, terminated } = state ?? {};
    if (terminated !== undefined) {
      const message = terminated.message ?? `the container ended with ${terminated.exitCode}`;
      return [{ kind: 'crash', reason: terminated.reason ?? 'Error', message, mends: false }];
    }
    const { reason, message = '' } = waiting ?? {};
    if (reason === undefined || STEPS.includes(reason)) return [];
    const kind = WAITING[reason];
    return [{ kind: kind ?? 'other', reason, message, mends: kind === undefined }];
  });
}

function readEvent({ reason = '', message = '' }: EventObject): PodTrouble[] {
  if (!EVENT_REASONS.includes(reason)) return [];
  const isMissing = MISSING_OBJECT.test(message);
  return [{ kind: isMissing ? 'missing' : 'other', reason, message, mends: !isMissing }];
}
