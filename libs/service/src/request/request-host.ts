import type { FastifyInstance } from 'fastify';
import { ApiError } from '@plat/contracts/core';

/** Refuses a request without exactly one Host (RFC 9112, 3.2). Node's own refusal would have no body. */
export function expectOneHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host');
    const [fewest, message] =
      raw.httpVersion === '1.0' ? [0, 'Host must be sent at most once.'] : [1, 'Host must be sent once.'];
    const faulty = hosts.length < fewest || hosts.length > 1;
    done(faulty ? new ApiError('BAD_REQUEST', { message }) : undefined);
  });
}
