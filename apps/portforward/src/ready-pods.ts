import { ClusterError } from './cluster-error';
import type { KubeAccess } from './kube-access';

/** A pod of the Service that takes connections now, and the port of its container. */
export interface PodPort {
  pod: string;
  /** Distinguishes a pod from a later one with the same name. */
  uid: string;
  port: number;
}

interface Service {
  spec?: {
    selector?: Record<string, string>;
    ports?: Array<{ port: number; protocol?: string; targetPort?: number | string }>;
  };
}

interface Pod {
  metadata: { name: string; uid: string; deletionTimestamp?: string; creationTimestamp?: string };
  spec?: {
    containers?: Array<{ ports?: Array<{ name?: string; containerPort: number; protocol?: string }> }>;
  };
  status?: { phase?: string; conditions?: Array<{ type: string; status: string }> };
}

/** What a Service's pods are asked for. */
export interface ServicePort {
  namespace: string;
  service: string;
  /** The Service's port. */
  port: number;
}

/**
 * The pods of a Service that are ready now, the newest first.
 *
 * @throws ClusterError if the Service, its port or a ready pod is missing
 */
export async function readyPods(
  access: KubeAccess,
  { namespace, service, port }: ServicePort,
): Promise<PodPort[]> {
  const folder = `/api/v1/namespaces/${namespace}`;
  const { spec } = await access.get<Service>(`${folder}/services/${service}`);
  const selector = Object.entries(spec?.selector ?? {});
  if (selector.length === 0) throw new ClusterError(`The Service ${service} selects no pods.`);
  const chosen = spec?.ports?.find((each) => each.port === port && (each.protocol ?? 'TCP') === 'TCP');
  if (chosen === undefined) throw new ClusterError(`The Service ${service} has no TCP port ${port}.`);
  const labels = selector.map(([key, value]) => `${key}=${value}`).join(',');
  const { items } = await access.get<{ items: Pod[] }>(
    `${folder}/pods?labelSelector=${encodeURIComponent(labels)}`,
  );
  const ready = items.filter(isReady).sort(newestFirst);
  if (ready.length === 0) {
    throw new ClusterError(`No pod of the Service ${service} is ready (${items.length} in all).`);
  }
  const target = chosen.targetPort ?? port;
  const found = ready.flatMap((pod) => {
    const number = typeof target === 'number' ? target : namedPort(pod, target);
    return number === undefined ? [] : [{ pod: pod.metadata.name, uid: pod.metadata.uid, port: number }];
  });
  if (found.length === 0) {
    throw new ClusterError(`No pod of the Service ${service} has a port named ${target}.`);
  }
  return found;
}

/** A pod that is being removed takes no new connections, although it may be ready still. */
function isReady({ metadata, status }: Pod): boolean {
  const isMet = status?.conditions?.some(({ type, status: met }) => type === 'Ready' && met === 'True');
  return metadata.deletionTimestamp === undefined && status?.phase === 'Running' && isMet === true;
}

function newestFirst({ metadata: one }: Pod, { metadata: other }: Pod): number {
  return (other.creationTimestamp ?? '').localeCompare(one.creationTimestamp ?? '');
}

function namedPort({ spec }: Pod, name: string): number | undefined {
  const ports = spec?.containers?.flatMap(({ ports: each }) => each ?? []) ?? [];
  return ports.find((each) => each.name === name && (each.protocol ?? 'TCP') === 'TCP')?.containerPort;
}
