import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from './service-context';

/**
 * `/healthz` shows that the process answers. `/readyz` shows that the database answers within a deadline too, on every
 * kind of connection that a request needs, including the audit trail's.
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
