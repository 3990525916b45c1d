import { LAST_STOP } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { printableLine } from '../terminal/printable';
import { type ApiAnswer, type ApiCall, callCluster, type ClusterApi } from './cluster-api';

/** A longer message of the API is cut: the watch repeats its call at each look, and notes each new message in the pod's log. */
const SAID_MAX = 1000;

/** A Deployment that scales itself to 0. */
export interface OwnDeployment {
  namespace: string;
  name: string;
}

/** The outcome of a stop, and warnings about what it could not note. */
export interface Stopped {
  outcome: 'stopped' | 'was stopped';
  /** Sentences for the pod's log. */
  warnings: string[];
}

/**
 * Scales a Deployment to 0, then writes the reason into its annotations, where `plat list` reads it, and as an event. A
 * Deployment that has 0 replicas already is left alone. Rule H15.
 *
 * @throws Failure STOP_REFUSED, CLUSTER_UNREACHABLE; nothing is written then that claims a stop
 */
export async function stopDeployment(
  api: ClusterApi,
  { namespace, name }: OwnDeployment,
  { at, reason }: { at: Date; reason: string },
): Promise<Stopped> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
  const { spec, metadata } = (await succeed(api, { method: 'GET', path })) as Deployment;
  if (spec?.replicas === 0) return { outcome: 'was stopped', warnings: [] };
  await succeed(api, { method: 'PATCH', path: `${path}/scale`, body: { spec: { replicas: 0 } } });
  const time = at.toISOString();
  const annotations = { [LAST_STOP.at]: time, [LAST_STOP.reason]: reason };
  const notes: ApiCall[] = [
    // The status subresource takes annotations, and the pod may not change its own image or volumes.
    { method: 'PATCH', path: `${path}/status`, body: { metadata: { annotations } } },
    {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/events`,
      body: stopEvent({ namespace, name, uid: metadata?.uid }, { time, reason }),
    },
  ];
  const warnings: string[] = [];
  for (const call of notes) {
    await succeed(api, call).catch((error: Error) =>
      warnings.push(`The stop is not noted: ${error.message}`),
    );
  }
  return { outcome: 'stopped', warnings };
}

interface Deployment {
  spec?: { replicas?: number };
  metadata?: { uid?: string };
}

function stopEvent(
  { namespace, name, uid }: OwnDeployment & { uid: string | undefined },
  { time, reason }: { time: string; reason: string },
): object {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name, uid },
    type: 'Normal',
    reason: 'IdleStop',
    message: reason,
    source: { component: 'plat-idle-watch' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}

/** @throws Failure STOP_REFUSED with the API's own message */
async function succeed(api: ClusterApi, call: ApiCall): Promise<ApiAnswer['body']> {
  const { status, body } = await callCluster(api, call);
  if (status >= 200 && status < 300) return body;
  const said =
    typeof body.message === 'string' ? printableLine(body.message.slice(0, SAID_MAX)) : 'no reason';
  throw new Failure('STOP_REFUSED', `${call.method} ${call.path} got ${status}: ${said}`, {
    next: 'plat deploy <tenant> <env>, whose chart lets the pod stop itself',
  });
}
