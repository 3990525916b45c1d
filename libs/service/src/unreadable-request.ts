import { ApiError } from '@plat/contracts/core';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { answerOf, toApiError } from './error.filter';
import type { Log } from './log';

/** What is answered before there is a request that could be routed, in the contract's shape all the same. */
export function answerUnreadable(
  log: Log,
): Required<Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>> {
  return {
    /** A request whose path cannot be decoded; no hook runs for it. */
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { id: requestId, method } = request;
      const known = toApiError(error, requestId);
      log.info({ requestId, method, status: known.status, code: known.code }, 'request');
      void reply.header('x-request-id', requestId).status(known.status).send(answerOf(known));
    },
    /** Bytes that are no request at all. */
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const body = JSON.stringify(answerOf(new ApiError('BAD_REQUEST')));
      socket.end(
        'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n' +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    },
  };
}
