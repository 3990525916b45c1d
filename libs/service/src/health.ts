import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from './service-context';

/**
 * `/healthz`: the process answers. `/readyz`: so does the database, on every kind of connection that a request needs, the
 * trail's included, and within a deadline.
 */
export function registerHealth(fastify: FastifyInstance, contexts: ServiceContext[]): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  fastify.get('/healthz', () => ({ status: 'ok' }));
  fastify.get('/readyz', async (_request, reply) => {
    const failed = closing ? contexts : await unready(contexts);
    if (failed.length === 0) return { status: 'ready' };
    return reply.status(503).send({ status: 'not ready', services: failed.map(({ name }) => name) });
  });
}

async function unready(contexts: ServiceContext[]): Promise<ServiceContext[]> {
  const pings = await Promise.allSettled(
    contexts.map(({ database, audit }) => Promise.all([database.ping(), audit.ping()])),
  );
  return contexts.filter((_, place) => pings[place]!.status === 'rejected');
}
