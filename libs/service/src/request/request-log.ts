import type { FastifyInstance } from 'fastify';
import { parseTraceparent } from '@plat/telemetry';
import type { Log } from '../log/log';
import type { PlatRequest } from './request';
import { callerRequestIdOf } from './request-id';

/**
 * Logs one line for each request, with the route's template, the request's id and the caller's own id. Never logs a
 * body, a token or a concrete path. Sends the request's id in the answer, and a header that keeps browsers from
 * guessing its type.
 */
export function logRequests(fastify: FastifyInstance, log: Log): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const {
      principal,
      errorCode,
      waitedMs,
      trace = givenTrace(request.headers.traceparent),
    } = request as PlatRequest;
    log.info(
      {
        requestId: request.id,
        ...trace,
        callerRequestId: callerRequestIdOf(request.headers),
        tenantId: principal?.tenantId,
        userId: principal?.userId,
        method: request.method,
        route: request.routeOptions.url?.replace(/:([a-z_]+)/g, '{$1}'),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
        waitedMilliseconds: waitedMs === undefined ? undefined : Math.round(waitedMs),
        code: errorCode,
      },
      'request',
    );
    done();
  });
}

/** The trace of the caller, which the log names even if this service records no span. */
function givenTrace(traceparent: unknown): { trace_id: string } | undefined {
  const given = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
  return given && { trace_id: given.traceId };
}
