import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * Ends connections when the service closes. New requests are still served for some seconds, since the edge needs that
 * long to notice that the service is not ready. Each connection ends with its next answer, and idle connections are
 * closed after that time.
 */
export function endConnectionsAtClose(fastify: FastifyInstance, drainSeconds: number): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('preClose', () => delay(drainSeconds * 1000));
  fastify.addHook('onSend', async (_request, reply) => {
    // A kept connection would delay the end of the process until its client closes it.
    if (closing) void reply.header('connection', 'close');
  });
}
