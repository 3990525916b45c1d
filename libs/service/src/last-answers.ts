import type { FastifyInstance } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Once the service closes: each connection ends with the answer in flight on it, and for some seconds more requests are
 * still served, since whoever routes them needs that long to see that the service is not ready any more. Idle
 * connections are closed after that.
 */
export function endConnectionsAtClose(fastify: FastifyInstance, drainSeconds: number): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('preClose', () => delay(drainSeconds * 1000));
  fastify.addHook('onSend', async (_request, reply) => {
    // Kept alive, it would hold up the end of the process until its client lets go of it.
    if (closing) void reply.header('connection', 'close');
  });
}
