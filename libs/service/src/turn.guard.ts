import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { FairShares } from '@plat/database';
import { replyOf, requestOf } from './request';
import { Turn } from './turn';

/** Requests of one organisation that are worked on at once. The others wait in turn: none is refused for rate. */
const IN_FLIGHT_EACH = 32;
/** How long a request waits for its turn before it is 503, in milliseconds. */
const WAIT_MS = 30_000;

/** Whose turn it is, for the services of a process. */
export const createTurns = (): FairShares =>
  new FairShares({ total: Infinity, each: IN_FLIGHT_EACH, waitMs: WAIT_MS });

/**
 * Step 2: a request waits for its turn among those of its organisation, so that however many one tenant sends, another's
 * meet a bounded number of them. It holds the turn until its answer is taken, and no body, row or connection before.
 *
 * @throws SERVICE_UNAVAILABLE when the turn does not come in time; nothing was done
 */
@Injectable()
export class TurnGuard implements CanActivate {
  constructor(private readonly shares: FairShares) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const { raw } = replyOf(context);
    const { issuer, organization } = request.user!;
    const turn = new Turn(this.shares, JSON.stringify([issuer, organization]));
    raw.once('close', () => turn.end());
    await turn.take();
    request.turn = turn;
    return true;
  }
}
