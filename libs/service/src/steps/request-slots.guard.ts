import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Identities } from '../authentication/identity';
import { type PlatRequest, replyOf, requestOf } from '../request/request';
import { RequestSlots, ServiceSlots } from '../request/request-slots';

/**
 * Step 2: a request acquires its slots among those of its tenant, so that only a bounded number of a tenant's requests
 * can delay those of another. The request holds a slot while it is worked on. Before that it holds no body, row or
 * connection.
 *
 * @throws SERVICE_UNAVAILABLE when no slot is free in time; nothing was done
 */
@Injectable()
export class RequestSlotsGuard implements CanActivate {
  constructor(
    private readonly service: ServiceSlots,
    private readonly identities: Identities,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { raw } = replyOf(context);
    const slots = new RequestSlots(this.service, this.identities.slotKeyOf(request.user!));
    raw.once('close', () => slots.end());
    // If the response closed while the token was verified, no `close` event follows.
    if (raw.closed) slots.end();
    await slots.acquire();
    request.slots = slots;
    return true;
  }
}

/** Ends a request's work when its answer begins, so that a slow reader delays no request of its organisation. */
export function endWorkAtAnswer(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request) => {
    (request as PlatRequest).slots?.releaseWork();
    return Promise.resolve();
  });
}
