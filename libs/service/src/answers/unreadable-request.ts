import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { ApiError } from '@plat/contracts/core';
import type { Log } from '../log/log';
import type { UnknownCallers } from '../request/unknown-callers';
import { answerOf, toApiError } from './error.filter';

/** Answers requests that cannot be routed, in the contract's shape. */
export function answerUnreadable(
  log: Log,
  strangers: UnknownCallers,
): Required<Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>> {
  return {
    /** A request that the router refuses; no hook runs for it. */
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { id: requestId, method } = request;
      const known = toApiError(error, requestId);
      log.info({ requestId, method, status: known.status, code: known.code }, 'request');
      const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
      strangers.answer(reply, () => void reply.headers(headers).status(known.status).send(answerOf(known)));
    },
    /** Bytes that are no request at all. */
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      endWith(socket, '400 Bad Request', new ApiError('BAD_REQUEST'));
    },
  };
}

/** Answers requests that Node would answer without a body or not at all. */
export function answerForNode(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const refusal = new ApiError('BAD_REQUEST', { message: 'Expect may only ask for 100-continue.' });
    const body = JSON.stringify(answerOf(refusal));
    response.writeHead(417, { ...HEADERS, 'content-length': Buffer.byteLength(body) }).end(body);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // A peer that has gone away by now must not end the process.
    socket.on('error', () => undefined);
    endWith(socket, '405 Method Not Allowed', new ApiError('METHOD_NOT_ALLOWED'));
  });
}

const HEADERS = {
  connection: 'close',
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
} as const;

function endWith(socket: Duplex, status: string, refusal: ApiError): void {
  const body = JSON.stringify(answerOf(refusal));
  const lines = Object.entries({ ...HEADERS, 'content-length': Buffer.byteLength(body) });
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}
