import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { RequestContext, ResponseContext } from '@kubernetes/client-node';
import { defined } from '@plat/contracts/core';
import { findJsonShapeFault, refuseProtocolSwitch } from '@plat/local';

/** Longest answer that is read, in bytes: an object of a cluster has at most 1.5 MiB. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
/** A namespace has some dozens of fields, and ten levels. */
const BOUNDS = { depthMax: 32, itemsMax: 10_000 };
/** The beginning of a refusal is kept, in bytes. It is for the log alone, whose line has it three times. */
const REFUSAL_BYTES_MAX = 4096;

type Library = Pick<typeof import('@kubernetes/client-node'), 'ResponseContext'>;

/**
 * Sends a request of the Kubernetes client. The client's own way follows redirects, by which a cluster would have the
 * platform send requests elsewhere, and reads and parses an answer to its end, however long and deep it is.
 *
 * @throws errors of the network, the signal's reason, and an error for an answer that no namespace has
 */
export function sendToCluster(library: Library, sent: RequestContext): Promise<ResponseContext> {
  const url = sent.getUrl();
  const send = url.startsWith('https:') ? requestTls : requestPlain;
  // The client's bodies are JSON.
  const body = sent.getBody() as string | undefined;
  const method = sent.getHttpMethod();
  // Node gives the body of a DELETE no length of its own.
  const headers = { ...sent.getHeaders(), 'content-length': Buffer.byteLength(body ?? '') };
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: sent.getAgent(), signal: sent.getSignal() };
    const request = refuseProtocolSwitch(send(url, options));
    request.once('error', reject);
    request.once('response', (response) => {
      readAnswer(response).then((bytes) => {
        const type = response.headers['content-type'];
        const read = { binary: async () => bytes, text: async () => bytes.toString('utf8') };
        const kept = defined({ 'content-type': type });
        resolve(new library.ResponseContext(response.statusCode ?? 0, kept, read));
      }, reject);
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) return readBeginning(response);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error('the answer of the cluster is too long');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const fault = findJsonShapeFault(bytes, BOUNDS);
  if (fault !== undefined) throw new Error(`the answer of the cluster is no namespace (${fault})`);
  return bytes;
}

/** Returns the first bytes of a refusal. The rest is not read. */
async function readBeginning(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= REFUSAL_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, REFUSAL_BYTES_MAX);
}
