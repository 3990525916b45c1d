import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** How long a caller may read nothing of its answer before its connection is cut, in milliseconds. */
const STALL_MS = 30_000;

/** Cuts the connection of a caller that does not read its answer, and reads no listing for an answer without a body. */
export function boundAnswers(fastify: FastifyInstance, stallMs: number = STALL_MS): void {
  fastify.addHook('onSend', (request, _reply, payload) => {
    // Node resets it for the next request of the connection.
    request.raw.socket.setTimeout(stallMs);
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return Promise.resolve(payload);
    // fastify would read a whole listing and drop it.
    payload.destroy();
    return Promise.resolve(Readable.from([]));
  });
}
