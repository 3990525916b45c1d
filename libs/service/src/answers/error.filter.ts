import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError, type ErrorCode, noRoute, UnresolvedThreadsError } from '@plat/contracts/core';
import { refusalOf } from '@plat/database';
import { CallerGone } from '@plat/fair-slots';
import type { Log } from '../log/log';
import type { PlatRequest } from '../request/request';
import type { UnknownCallers } from '../request/unknown-callers';

/** The code of a status that arose outside our own code, such as an unknown route. Rule A8. */
const GENERIC_CODES: Record<number, ErrorCode> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  409: 'CONFLICT',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
};

/** Seconds after which a request may succeed: those of a move between cells, and of a request that creates. */
const RETRY_AFTER: Partial<Record<string, string>> = { TENANT_MOVING: '2', IDEMPOTENCY_KEY_IN_USE: '1' };

/** The one place where an error becomes an answer: `{code, message, details}`. Spec: API, Errors. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly strangers: UnknownCallers,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<PlatRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const known = error instanceof UnresolvedThreadsError ? error : toApiError(error, request.id);
    if (isFault(known) && !isGone(error)) {
      this.log.error({ requestId: request.id, err: causeOf(error) }, 'request failed');
    }
    request.errorCode = known instanceof ApiError ? known.code : 'unresolved_threads';
    if (known.status === 401) void reply.header('www-authenticate', 'Bearer');
    const retryAfter = RETRY_AFTER[request.errorCode];
    if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
    const send = () => void reply.status(known.status).send(answerOf(known));
    if (request.user) send();
    else this.strangers.answer(reply, send);
  }
}

/** Turns any error into one of the registry. An unexpected error becomes INTERNAL_ERROR, and its cause is logged only. */
export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const refusal = refusalOf(error);
  if (refusal instanceof ApiError) return refusal;
  const status = error instanceof HttpException ? error.getStatus() : statusOfFramework(error);
  // Missing rows have their own ApiError, so any other 404 means an unknown route.
  if (status === 404) return noRoute(error);
  const code = GENERIC_CODES[status] ?? (status < 500 ? 'BAD_REQUEST' : undefined);
  return code
    ? new ApiError(code, { cause: error })
    : new ApiError('INTERNAL_ERROR', { details: { requestId } });
}

/** The status of an error that fastify raised itself, which has one of fastify's codes. */
function statusOfFramework(error: unknown): number {
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number'
    ? statusCode
    : 500;
}

/** The body of an error's answer. */
export function answerOf(error: ApiError | UnresolvedThreadsError): Record<string, unknown> {
  if (error instanceof UnresolvedThreadsError) {
    const { message, reviewId, unresolvedThreads } = error;
    return { error: 'unresolved_threads', message, reviewId, unresolvedThreads };
  }
  const { code, message, details } = error;
  return details === undefined ? { code, message } : { code, message, details };
}

/** Whether the service failed. What a deployment does not offer (501) is no failure: a caller may ask for it all day. */
const isFault = ({ status }: ApiError | UnresolvedThreadsError): boolean => status >= 500 && status !== 501;

const isGone = (error: unknown): boolean => error instanceof ApiError && error.cause instanceof CallerGone;

const causeOf = (error: unknown): unknown => (error instanceof ApiError ? (error.cause ?? error) : error);
