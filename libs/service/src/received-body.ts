import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { PlatRequest } from './request';

/** Largest request body, in bytes. Decision A9. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** Most bytes that are read and dropped of a body that nobody asked for: of a known caller's, and of anybody's. */
const DROPPED_BYTES_MAX = { known: 8 * 1024 * 1024, anybody: 64 * 1024 };
/** How long the sender of a body that is not read to its end has to take the answer, in milliseconds. */
const LINGER_MS = 1_000;

/** A body as it came: judged only once the caller is known, so that 401 and 403 come before any word about it. */
export type ReceivedBody = { bytes: Buffer } | { fault: 'too_large' | 'cut_short' };

/**
 * Takes every body as bytes, whatever its content type says, were it unreadable: bodies are JSON. None is read before a
 * guard asks for it, and what nobody asks for is dropped within bounds.
 */
export function receiveBodiesAsBytes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    // fastify would refuse an unreadable one before the caller is known.
    delete request.raw.headers['content-type'];
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', () => Promise.resolve(undefined));
  fastify.addHook('onSend', (request, reply) => {
    if (isUnread(request.raw)) dropBody(request as PlatRequest, reply);
    return Promise.resolve();
  });
  continueWhenAsked(fastify.server);
}

/** A sender that waits for leave to send its body gets it when the body is read, and not before. */
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
    const whole = () => end({ bytes: Buffer.concat(chunks) });
    const cut = () => end({ fault: 'cut_short' });
    raw.on('data', take).once('end', whole).once('close', cut);
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isUnread = (raw: IncomingMessage): boolean => hasBody(raw) && !raw.readableEnded;

/** Drops what comes of a body, up to a limit; the connection of one that goes on is cut once its answer is taken. */
function dropBody({ raw, principal }: PlatRequest, reply: FastifyReply): void {
  const most = principal ? DROPPED_BYTES_MAX.known : DROPPED_BYTES_MAX.anybody;
  let dropped = 0;
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > most) raw.pause();
  });
  raw.resume();
  reply.raw.once('finish', () => {
    if (raw.complete) return;
    const cut = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once('close', () => clearTimeout(cut)).once('end', () => clearTimeout(cut));
  });
}
