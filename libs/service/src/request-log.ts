import type { FastifyInstance } from 'fastify';
import type { Log } from './log';
import type { PlatRequest } from './request';
import { callerRequestIdOf } from './request-id';

/**
 * One line a request, with the route's template, and its id in the answer; the caller's own id beside it. Never a body,
 * a token or a concrete path.
 * No browser takes an answer for anything else than what it says it is.
 */
export function logRequests(fastify: FastifyInstance, log: Log): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { principal, errorCode } = request as PlatRequest;
    log.info(
      {
        requestId: request.id,
        callerRequestId: callerRequestIdOf(request.headers),
        tenantId: principal?.tenantId,
        userId: principal?.userId,
        method: request.method,
        route: request.routeOptions.url?.replace(/:([a-z_]+)/g, '{$1}'),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
        code: errorCode,
      },
      'request',
    );
    done();
  });
}
