import Fastify from 'fastify';
import { registerHealth } from './health';
import { type ServiceContext } from './service-context';

describe('GET /readyz', () => {
  it.each(['database', 'audit'] as const)(
    'is 503 when only the connections of %s do not answer',
    async (whose) => {
      const fastify = Fastify();
      const silent = { ping: () => Promise.reject(new Error('silent')) };
      const well = { ping: () => Promise.resolve() };
      const context = { name: 'reviews', database: well, audit: well, [whose]: silent };
      registerHealth(fastify, [context as unknown as ServiceContext]);
      const answer = await fastify.inject('/readyz');
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        { status: 'not ready', services: ['reviews'] },
      ]);
    },
  );
});
