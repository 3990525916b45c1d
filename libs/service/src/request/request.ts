import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteEntry } from '@plat/contracts/core';
import type { TraceIds } from '@plat/telemetry';
import type { Caller } from '../authentication/caller';
import type { Principal } from '../authentication/identity';
import type { TokenClaims } from '../authentication/token';
import type { ReceivedBody } from './received-body';
import type { RequestSlots } from './request-slots';

/** A request, to which the steps add their results. */
export interface PlatRequest extends FastifyRequest {
  body: ReceivedBody | undefined;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  /** Set by authentication. */
  user?: TokenClaims;
  /** Set once the request has its slots. */
  slots?: RequestSlots;
  /** Set by identity resolution. */
  principal?: Principal;
  /** Set once the request is authorized and audited. */
  caller?: Caller;
  /** How long it prefers to wait for a change, in seconds; its row is then written when it is answered. */
  waitSeconds?: number;
  /** How long it has waited for a change, in milliseconds. */
  waitedMs?: number;
  /** The route table's entry; absent if no route matched. */
  entry?: RouteEntry;
  /** The ids of the request's span, with telemetry. */
  trace?: TraceIds;
  /** The error code answered, for the log. */
  errorCode?: string;
}

export const requestOf = (context: ExecutionContext): PlatRequest =>
  context.switchToHttp().getRequest<PlatRequest>();

export const replyOf = (context: ExecutionContext): FastifyReply =>
  context.switchToHttp().getResponse<FastifyReply>();
