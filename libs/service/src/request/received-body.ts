import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findShapeFault } from './body-shape';

/** Largest request body, in bytes. Rule A9. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** Most bytes of an unwanted body that are read and dropped, for a known caller and for any other. */
const DROPPED_BYTES_MAX = { known: 8 * 1024 * 1024, stranger: 64 * 1024 };
/**
 * Milliseconds that a sender has to read the answer if its body is not read to the end. A proxy that is cut while it sends
 * loses the answer, so a known caller within the limit has time on a busy machine too.
 */
const LINGER_MS = { known: 10_000, stranger: 1_000 };

/** A body as received. It is checked only after the caller is known, so that 401 and 403 come first. */
export type ReceivedBody = { bytes: Buffer } | { fault: 'too_large' | 'too_deep' | 'too_many' | 'cut_short' };

/**
 * Receives every body as bytes and ignores its content type, even a malformed one, since bodies are JSON. A body is read
 * only when a guard asks for it; otherwise it is dropped within bounds.
 */
export function receiveBodiesAsBytes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // fastify would refuse a malformed content type before the caller is known.
    delete request.raw.headers['content-type'];
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', () => Promise.resolve(undefined));
  fastify.addHook('onSend', (request, reply) => {
    if (isUnread(request.raw)) dropBody(request, reply);
    return Promise.resolve();
  });
  continueWhenAsked(fastify.server);
}

/** Keeps Node from sending `100 Continue` at once. `receiveBody` sends it when the body is read. */
function continueWhenAsked(server: Server): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}

/** Reads the body of a request to its end, or to its limit; undefined when it has none. */
export async function receiveBody(
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<ReceivedBody | undefined> {
  if (!hasBody(raw)) return undefined;
  if (raw.destroyed) return { fault: 'cut_short' };
  if (raw.headers.expect !== undefined) reply.raw.writeContinue();
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const end = (received: ReceivedBody) => {
      raw.removeListener('data', take).removeListener('end', whole).removeListener('close', cut);
      resolve(received);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) return void chunks.push(chunk);
      raw.pause();
      end({ fault: 'too_large' });
    };
    const whole = () => {
      const bytes = Buffer.concat(chunks);
      const fault = findShapeFault(bytes);
      end(fault ? { fault } : { bytes });
    };
    const cut = () => end({ fault: 'cut_short' });
    raw.on('data', take).once('end', whole).once('close', cut);
  });
}

/** Whether the request's head announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isUnread = (raw: IncomingMessage): boolean => hasBody(raw) && !raw.readableEnded;

/** A request. Its `principal` is set if its caller is known. */
type MaybeKnown = FastifyRequest & { principal?: unknown };

/**
 * Drops a body up to a limit. If the body is longer, the connection is cut once the answer is read. Node would read a body
 * without a listener to its end.
 */
function dropBody({ raw, principal }: MaybeKnown, reply: FastifyReply): void {
  const caller = principal ? 'known' : 'stranger';
  let dropped = 0;
  let isAnswered = false;
  let cut: NodeJS.Timeout | undefined;
  const linger = () => {
    clearTimeout(cut);
    const goesOn = dropped > DROPPED_BYTES_MAX[caller];
    cut = setTimeout(() => raw.destroy(), goesOn ? LINGER_MS.stranger : LINGER_MS[caller]);
  };
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped <= DROPPED_BYTES_MAX[caller]) return;
    raw.pause();
    if (isAnswered) linger();
  });
  raw.resume();
  raw.once('close', () => clearTimeout(cut)).once('end', () => clearTimeout(cut));
  reply.raw.once('finish', () => {
    isAnswered = true;
    if (!raw.complete) linger();
  });
}
