import type { FastifyReply } from 'fastify';
import { hasBody } from './received-body';

/** Time after the refusal of an unknown caller until the next, in milliseconds. */
const PACE_MS = 1;
/** The same after a request with a body, whose first bytes have taken memory that has to be freed. */
const PACE_WITH_BODY_MS = 10;

/**
 * The line of requests that are refused because their caller is unknown. They are answered one by one, so that many of
 * them do not delay the work for known callers.
 */
export class UnknownCallers {
  private readonly line = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  /** Sends the answer in its turn, unless the caller has gone away. */
  answer({ raw, request }: FastifyReply, send: () => void): void {
    const refuse = () => {
      this.pause(hasBody(request.raw) ? PACE_WITH_BODY_MS : PACE_MS);
      send();
    };
    if (this.timer === undefined) return refuse();
    this.line.add(refuse);
    raw.once('close', () => this.line.delete(refuse));
  }

  private pause(ms: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const [next] = this.line;
      if (next === undefined) return;
      this.line.delete(next);
      next();
    }, ms);
  }
}
