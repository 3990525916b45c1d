import type { FastifyInstance } from 'fastify';

/** Ends each connection with the answer in flight on it once the service closes; idle ones are closed at once. */
export function endConnectionsAtClose(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.addHook('onSend', async (_request, reply) => {
    // Kept alive, it would hold up the end of the process until its client lets go of it.
    if (closing) void reply.header('connection', 'close');
  });
}
