import type { FastifyReply } from 'fastify';

/** Time between two refusals of unknown callers, in milliseconds. */
const PACE_MS = 1;

/**
 * The line of requests that are refused because their caller is unknown. They are answered one by one, so that many of
 * them do not delay the work for known callers.
 */
export class UnknownCallers {
  private readonly line = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  /** Sends the answer in its turn, unless the caller has gone away. */
  answer({ raw }: FastifyReply, send: () => void): void {
    if (this.timer === undefined) {
      this.pause();
      return send();
    }
    this.line.add(send);
    raw.once('close', () => this.line.delete(send));
  }

  private pause(): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const [next] = this.line;
      if (next === undefined) return;
      this.line.delete(next);
      this.pause();
      next();
    }, PACE_MS);
  }
}
