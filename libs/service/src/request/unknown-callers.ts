import type { FastifyReply } from 'fastify';
import { FairSlots, type Slot } from '@plat/fair-slots';
import { hasBody } from './received-body';

/** Time after the refusal of an unknown caller until the next, in milliseconds. */
const PACE_MS = 1;
/** The same after a request with a body, whose first bytes have taken memory that has to be freed. */
const PACE_WITH_BODY_MS = 10;
/** The key of all unknown callers. */
const UNKNOWN = 'unknown';

/**
 * The requests that are refused because their caller is unknown. They are answered one by one, so that many of them do
 * not delay the work for known callers.
 */
export class UnknownCallers {
  private readonly slots = new FairSlots({ total: 1, each: 1 });

  /** Sends the answer once no other one is sent, unless the caller has gone away. */
  answer({ raw, request }: FastifyReply, send: () => void): void {
    const gone = new AbortController();
    raw.once('close', () => gone.abort());
    const refuse = (slot: Slot) => {
      slot.release(hasBody(request.raw) ? PACE_WITH_BODY_MS : PACE_MS);
      send();
    };
    this.slots.acquire(UNKNOWN, gone.signal).then(refuse, () => undefined);
  }
}
