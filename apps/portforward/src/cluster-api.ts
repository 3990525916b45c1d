import { type Agent, type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import WebSocket from 'ws';
import { findJsonShapeFault, refuseProtocolSwitch } from '@plat/local';
import { type Access, type ClusterAccess } from './cluster-access';
import { ApiRefusal, ApiUnreachable } from './failures';

/** A longer answer is refused; a list of pods has some kilobytes a pod. */
const LONGEST_ANSWER = 16 * 1024 * 1024;
/** A pod has some hundreds of fields, and a dozen levels. */
const BOUNDS = { depthMax: 100, itemsMax: 500_000 };
/** A kubelet sends frames of 32 KiB. */
const LONGEST_FRAME = 4 * 1024 * 1024;
/** How long a connection that was used before may be silent; then a fresh one is tried. */
const REUSED_MS = 2500;
/** The messages are the bytes of one SPDY connection. Kubernetes 1.31 and newer. */
const PROTOCOL = 'SPDY/3.1+portforward.k8s.io';
/** Why a server may refuse that protocol. */
const OLD = '; one before Kubernetes 1.31 cannot forward';
/** The name of that protocol for `ws`, which takes no name with a slash. */
const PROTOCOL_HERE = 'spdy';

/** One attempt of a request. */
interface Attempt {
  access: Access;
  agent: Agent;
  path: string;
  signal: AbortSignal;
}

/**
 * Requests to a cluster's API server. A 401 is answered with new credentials, once; a kept connection that has died
 * since its last use is replaced by a fresh one, once, before anything was sent through it.
 *
 * @throws ApiRefusal
 * @throws ApiUnreachable
 * @throws KubeconfigUnreadable
 * @throws CredentialsMissing
 */
export class ClusterApi {
  constructor(private readonly clusterAccess: ClusterAccess) {}

  /** The object at a path of the API. */
  get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.request((attempt) => getOnce({ ...attempt, path, signal }), signal);
  }

  /** A WebSocket to the node of a pod, for connections to its ports. It is paused: no message is lost before `resume`. */
  dial(path: string, signal: AbortSignal): Promise<WebSocket> {
    return this.request((attempt) => dialOnce({ ...attempt, path, signal }), signal);
  }

  private async request<Result>(
    once: (attempt: { access: Access; agent: Agent }) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const access = await this.clusterAccess.current(signal);
    try {
      return await withFreshConnection(access, once);
    } catch (error) {
      if (!(error instanceof ApiRefusal && error.status === 401)) throw error;
      this.clusterAccess.renew(access);
      return await withFreshConnection(await this.clusterAccess.current(signal), once);
    }
  }
}

async function withFreshConnection<Result>(
  access: Access,
  once: (attempt: { access: Access; agent: Agent }) => Promise<Result>,
): Promise<Result> {
  try {
    return await once({ access, agent: access.agents.pooled });
  } catch (error) {
    if (!(error instanceof ApiUnreachable && error.isReused)) throw error;
    return await once({ access, agent: access.agents.fresh });
  }
}

function getOnce({ access, agent, path, signal }: Attempt): Promise<unknown> {
  const url = `${access.server}${path}`;
  const send = url.startsWith('https:') ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const headers = { ...access.headers, accept: 'application/json' };
    const request = refuseProtocolSwitch(send(url, { agent, headers, signal }));
    watchReused(request);
    request.once('error', (error) => reject(signal.aborted ? signal.reason : unreachable(error, request)));
    request.once('response', (response) => {
      readAnswer(response).then(resolve, (error: unknown) =>
        reject(error instanceof ApiRefusal ? error : unreachable(error, request)),
      );
    });
    request.end();
  });
}

function dialOnce({ access, agent, path, signal }: Attempt): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    let request: ClientRequest | undefined;
    const webSocket = new WebSocket(`${access.server.replace(/^http/, 'ws')}${path}`, PROTOCOL_HERE, {
      agent,
      headers: access.headers,
      perMessageDeflate: false,
      maxPayload: LONGEST_FRAME,
      // docs/decisions/0025-port-forwards.md has when frames go unmasked.
      generateMask: access.isDirectTls ? (mask) => mask.fill(0) : undefined,
      finishRequest: (sent) => {
        request = sent;
        watchReused(sent);
        askForProtocol(sent, reject);
        sent.end();
      },
    } as WebSocket.ClientOptions);
    const abort = () => webSocket.terminate();
    signal.addEventListener('abort', abort);
    const settled = () => signal.removeEventListener('abort', abort);
    // Stays: a socket that fails after all emits its error, too.
    webSocket.on('error', (error) => {
      settled();
      reject(signal.aborted ? (signal.reason as Error) : unreachable(error, request));
    });
    webSocket.once('unexpected-response', (_, response) => {
      settled();
      readAnswer(response, OLD)
        .then(() => {
          throw new ApiUnreachable(
            `The API server answers ${response.statusCode} to a WebSocket${OLD}.`,
            false,
          );
        })
        .catch(reject);
    });
    webSocket.once('open', () => {
      settled();
      webSocket.pause();
      resolve(webSocket);
    });
    if (signal.aborted) abort();
  });
}

/** @param refuse called if the server speaks another protocol */
function askForProtocol(request: ClientRequest, refuse: (error: ApiUnreachable) => void): void {
  request.setHeader('Sec-WebSocket-Protocol', PROTOCOL);
  request.prependOnceListener('upgrade', ({ headers }: IncomingMessage) => {
    if (headers['sec-websocket-protocol'] === PROTOCOL) headers['sec-websocket-protocol'] = PROTOCOL_HERE;
    else refuse(new ApiUnreachable(`The API server does not speak ${PROTOCOL}${OLD}.`, false));
  });
}

/** Ends a request that is sent over a connection used before and gets no answer. */
function watchReused(request: ClientRequest): void {
  request.once('socket', () => {
    if (!request.reusedSocket) return;
    const timer = setTimeout(() => request.destroy(new Error('no answer')), REUSED_MS);
    for (const event of ['response', 'upgrade', 'close']) request.once(event, () => clearTimeout(timer));
  });
}

function unreachable(error: unknown, request: ClientRequest | undefined): ApiUnreachable {
  const { code, message } = error as NodeJS.ErrnoException;
  const isReused = request?.reusedSocket ?? false;
  return new ApiUnreachable(`The API server cannot be reached: ${code ?? message}.`, isReused);
}

/** @param unsaid what a refusal without a message may mean */
async function readAnswer(response: IncomingMessage, unsaid = ''): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const fault = findJsonShapeFault(bytes, BOUNDS);
  if (fault !== undefined) throw new Error(`its answer is no list of pods (${fault})`);
  const body = jsonOf(bytes.toString('utf8'));
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    if (body === undefined) throw new Error('its answer is not JSON');
    return body;
  }
  const { message } = (body ?? {}) as { message?: unknown };
  const words = typeof message === 'string' ? message : `status ${status}${unsaid}`;
  throw new ApiRefusal(status, `The API server refuses: ${words}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
