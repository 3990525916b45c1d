import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Identities } from './identity';
import { type PlatRequest, replyOf, requestOf } from './request';
import { Turn, Turns } from './turn';

/**
 * Step 2: a request waits for its turn among those of its tenant, so that only a bounded number of a tenant's requests
 * can delay those of another. The request holds its turn while it is worked on. Before that it holds no body, row or
 * connection.
 *
 * @throws SERVICE_UNAVAILABLE when the turn does not come in time; nothing was done
 */
@Injectable()
export class TurnGuard implements CanActivate {
  constructor(
    private readonly turns: Turns,
    private readonly identities: Identities,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { raw } = replyOf(context);
    const turn = new Turn(this.turns, this.identities.turnsOf(request.user!));
    raw.once('close', () => turn.end());
    // If the response closed while the token was verified, no `close` event follows.
    if (raw.closed) turn.end();
    await turn.take();
    request.turn = turn;
    return true;
  }
}

/** Ends a request's work when its answer begins, so that a slow reader delays no request of its organisation. */
export function endWorkAtAnswer(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request) => {
    (request as PlatRequest).turn?.rest();
    return Promise.resolve();
  });
}
