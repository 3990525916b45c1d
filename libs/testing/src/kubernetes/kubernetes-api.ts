import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ENVIRONMENT_LABEL } from '@plat/contracts/core';
import { kubeconfigOf } from './kubeconfig';

/** The part of a Kubernetes API server that a namespace's removal needs, over HTTP, with a kubeconfig for it. */
export interface KubernetesApi {
  /** The namespaces. A held one stays `terminating` after its deletion. */
  namespaces: Map<string, 'active' | 'held' | 'terminating'>;
  /** The environment whose label a namespace carries, by namespace. */
  environments: Map<string, string>;
  /** While set, called between the read of a namespace and its removal. */
  beforeRemoval: (() => void) | undefined;
  /** While set, the status of every answer; 0 cuts the connection. */
  refusal: number | undefined;
  /** While set, called for every request, which is then answered by it or never. */
  insteadOfAnswer: ((response: ServerResponse) => void) | undefined;
  /** Path of a kubeconfig file with one context. */
  kubeconfig: string;
  context: string;
  stop(): Promise<void>;
}

const NAMESPACE = /^\/api\/v1\/namespaces\/([a-z0-9-]+)(\?|$)/;

export async function startKubernetesApi(): Promise<KubernetesApi> {
  const token = randomUUID();
  const server = createServer((request, response) => answer(request, response, { api, token }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'plat-kubeconfig-'));
  const kubeconfig = join(folder, 'config');
  const context = 'test-cluster';
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(kubeconfig, kubeconfigOf({ url, token, context }), { mode: 0o600 });
  const api: KubernetesApi = {
    namespaces: new Map(),
    environments: new Map(),
    beforeRemoval: undefined,
    refusal: undefined,
    insteadOfAnswer: undefined,
    kubeconfig,
    context,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
  return api;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { api, token }: { api: KubernetesApi; token: string },
): void {
  if (api.insteadOfAnswer) return api.insteadOfAnswer(response);
  if (api.refusal === 0) return void request.socket.destroy();
  if (api.refusal !== undefined) return sendStatus(response, api.refusal);
  if (request.headers.authorization !== `Bearer ${token}`) return sendStatus(response, 401);
  void answerNamespace(request, response, api);
}

async function answerNamespace(
  request: IncomingMessage,
  response: ServerResponse,
  api: KubernetesApi,
): Promise<void> {
  const name = NAMESPACE.exec(request.url ?? '')?.[1] ?? '';
  const options = JSON.parse((await text(request)) || '{}') as DeleteOptions;
  if (request.method === 'DELETE') api.beforeRemoval?.();
  const state = api.namespaces.get(name);
  if (state === undefined) return sendStatus(response, 404);
  const metadata = metadataOf(name, api);
  if (request.method === 'DELETE') {
    if (state === 'terminating' || !isMeant(options, metadata)) return sendStatus(response, 409);
    if (state === 'held') api.namespaces.set(name, 'terminating');
    else api.namespaces.delete(name);
  }
  const phase = api.namespaces.get(name) === 'active' ? 'Active' : 'Terminating';
  send(response, 200, { apiVersion: 'v1', kind: 'Namespace', metadata, status: { phase } });
}

interface DeleteOptions {
  preconditions?: { uid?: string; resourceVersion?: string };
}

interface Metadata {
  name: string;
  uid: string;
  resourceVersion: string;
  labels?: Record<string, string>;
}

/** The namespace of a name has one identity, and another version with each label. */
function metadataOf(name: string, { environments }: KubernetesApi): Metadata {
  const environmentId = environments.get(name);
  const identity = { name, uid: `uid-of-${name}`, resourceVersion: `labelled-${environmentId}` };
  return environmentId === undefined
    ? identity
    : { ...identity, labels: { [ENVIRONMENT_LABEL]: environmentId } };
}

const isMeant = ({ preconditions = {} }: DeleteOptions, { uid, resourceVersion }: Metadata): boolean =>
  preconditions.uid === uid && preconditions.resourceVersion === resourceVersion;

function sendStatus(response: ServerResponse, code: number): void {
  send(response, code, {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    code,
    message: 'secret of the cluster',
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
