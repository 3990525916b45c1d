import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { refuseProtocolSwitch } from '@plat/local';
import { Failure } from '../terminal/failure';

/** Where Kubernetes mounts the token of a pod's ServiceAccount and the certificate of its API. */
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const DEADLINE_MILLISECONDS = 15_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

/** The API of the cluster in which this process runs. */
export interface ClusterApi {
  /** `https://host:port`. */
  server: string;
  /** Folder with the files `token` and `ca.crt`. Kubernetes renews them, so each call reads them. */
  accountFolder: string;
}

export interface ApiCall {
  method: 'GET' | 'PATCH' | 'POST';
  path: string;
  body?: object;
}

export interface ApiAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** The API of the pod's own cluster. @throws Failure NOT_A_POD */
export function ownCluster(
  variables: Readonly<Record<string, string | undefined>>,
  accountFolder = ACCOUNT_FOLDER,
): ClusterApi {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = variables;
  if (host === undefined || host === '') {
    throw new Failure('NOT_A_POD', 'KUBERNETES_SERVICE_HOST is not set, so this is no pod of a cluster.', {
      next: 'run plat stop on a machine that has the environment in its configuration',
    });
  }
  return { server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, accountFolder };
}

/** Calls the API with the pod's own token. A body of PATCH is a merge patch. @throws Failure CLUSTER_UNREACHABLE */
export async function callCluster(api: ClusterApi, call: ApiCall): Promise<ApiAnswer> {
  try {
    // One after the other, so that a missing folder is always the same failure.
    const token = await readFile(join(api.accountFolder, 'token'), 'utf8');
    const ca = await readFile(join(api.accountFolder, 'ca.crt'), 'utf8');
    return await send(api, call, { token: token.trim(), ca });
  } catch (error) {
    const { message } = error as Error;
    throw new Failure('CLUSTER_UNREACHABLE', `The cluster's API does not answer ${call.path}: ${message}.`, {
      next: 'wait: the next attempt follows by itself',
    });
  }
}

function send(
  { server }: ClusterApi,
  { method, path, body }: ApiCall,
  { token, ca }: { token: string; ca: string },
): Promise<ApiAnswer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type };
  const signal = AbortSignal.timeout(DEADLINE_MILLISECONDS);
  return new Promise((resolve, reject) => {
    const sent = request(`${server}${path}`, { method, headers, ca, signal, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > ANSWER_BYTES_MAX) sent.destroy(new Error('the answer is too long'));
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: objectOf(text) }));
    });
    refuseProtocolSwitch(sent).on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
