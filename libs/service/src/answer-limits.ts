import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';

/** How long a caller may take nothing of its answer before its connection is cut, in milliseconds. */
const STALL_MS = 30_000;

/** An answer waits for its reader within bounds, and one without a body reads nothing for it. */
export function boundAnswers(fastify: FastifyInstance, stallMs: number = STALL_MS): void {
  fastify.addHook('onSend', (request, _reply, payload) => {
    // Node sets it anew for the next request of the connection.
    request.raw.socket.setTimeout(stallMs);
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return Promise.resolve(payload);
    // fastify would read a whole listing to drop it.
    payload.destroy();
    return Promise.resolve(Readable.from([]));
  });
}
