import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { ClusterError } from './cluster-error';

/** Milliseconds for one request to the API server, and for the beginning of a connection to a pod. */
export const DIAL_MILLISECONDS = 10_000;
const BODY_BYTES_MAX = 32 * 1024 * 1024;

export interface Answer {
  status: number;
  text: string;
}

/**
 * Reads a whole answer. A kept connection may have ended while nobody used it, for example in a sleep: such a request is
 * sent once more on a new connection.
 *
 * @throws ClusterError without a status if there is no answer within 10 s
 */
export async function readAnswer(url: URL, options: RequestOptions): Promise<Answer> {
  try {
    return await readOnce(url, options);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return readOnce(url, { ...options, agent: false });
  }
}

class StaleConnection extends Error {}

function readOnce(url: URL, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, options, (response) => {
      readBody(response).then(
        (text) => settle(() => resolve({ status: response.statusCode ?? 0, text })),
        fail,
      );
    });
    const late = () =>
      new ClusterError(`The API server does not answer within ${DIAL_MILLISECONDS / 1000} s.`);
    const timer = setTimeout(() => fail(late()), DIAL_MILLISECONDS);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      end();
    };
    const fail = (error: Error) => {
      settle(() => reject(error));
      request.destroy();
    };
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      fail(
        isStale ? new StaleConnection() : new ClusterError(`The API server is not reached: ${error.message}`),
      );
    });
    request.end();
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new ClusterError('The API server answers with too much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
