import { type ClientOptions, WebSocket } from 'ws';
import { DIAL_MILLISECONDS } from './api-request';
import { ClusterError } from './cluster-error';
import type { KubeAccess } from './kube-access';
import type { PodPort } from './ready-pods';

/** One port and its errors, each on a channel of its own; a connection is one WebSocket. */
const PROTOCOL = 'v4.channel.k8s.io';
export const DATA_CHANNEL = 0;
export const ERROR_CHANNEL = 1;
/** The first message of each channel is the port's number. */
export const PORT_BYTES = 2;

const REFUSAL_BYTES_MAX = 4096;

/**
 * Opens a WebSocket that the API server connects with a port of a pod. It is paused, so that nothing is missed before
 * its reader listens.
 *
 * @throws ClusterError with the status of a refusal
 */
export async function openPodConnection(
  access: KubeAccess,
  namespace: string,
  target: PodPort,
): Promise<WebSocket> {
  try {
    return await openOnce(access, { namespace, target });
  } catch (error) {
    if (error instanceof ClusterError && error.status === 401) access.forget();
    else if (!(error instanceof StaleConnection)) throw error;
    return openOnce(access, { namespace, target, isFresh: true });
  }
}

/** A kept connection had ended, for example in a sleep. */
class StaleConnection extends Error {}

interface Opening {
  namespace: string;
  target: PodPort;
  /** Whether to use no kept connection. */
  isFresh?: boolean;
}

async function openOnce(
  access: KubeAccess,
  { namespace, target, isFresh = false }: Opening,
): Promise<WebSocket> {
  const { url, options, isDirect } = await access.apiServer();
  const address = `${url.replace(/^http/, 'ws')}/api/v1/namespaces/${namespace}/pods/${target.pod}/portforward?ports=${target.port}`;
  const ofConnection = options as ClientOptions;
  const socket = new WebSocket(address, [PROTOCOL], {
    ...ofConnection,
    // Without an agent each connection is a new one.
    agent: isFresh && isDirect ? undefined : ofConnection.agent,
    handshakeTimeout: DIAL_MILLISECONDS,
    perMessageDeflate: false,
    // TLS to the API server itself hides the frames from everything between: see decision 0025.
    generateMask: isDirect ? (mask) => void mask.fill(0) : undefined,
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.removeAllListeners();
      // Ending a handshake reports an error of its own.
      socket.on('error', () => undefined);
      socket.terminate();
      reject(error);
    };
    socket.once('open', () => {
      socket.removeAllListeners();
      socket.pause();
      resolve(socket);
    });
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on(
        'data',
        (chunk: Buffer) => (text = (text + chunk.toString('utf8')).slice(0, REFUSAL_BYTES_MAX)),
      );
      response.once('close', () => fail(refusal(response.statusCode ?? 0, text, target)));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = !isFresh && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      fail(
        isStale
          ? new StaleConnection()
          : new ClusterError(`The pod ${target.pod} is not reached: ${error.message}`),
      );
    });
  });
}

function refusal(status: number, text: string, { pod }: PodPort): ClusterError {
  let reason = text.trim();
  try {
    reason = (JSON.parse(text) as { message: string }).message;
  } catch {
    // Not a Status of the API server.
  }
  return new ClusterError(
    `The API server refuses a connection to the pod ${pod}: ${status} ${reason}`.trim(),
    status,
  );
}
