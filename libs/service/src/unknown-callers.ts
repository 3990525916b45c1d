import type { FastifyReply } from 'fastify';

/** Time between two refusals of callers whom nobody knows, in milliseconds. */
const PACE_MS = 1;

/**
 * The line of those who are refused before anybody knows who they are: they leave it one by one, so that however many
 * a stranger sends, the work of others goes on between them.
 */
export class UnknownCallers {
  private readonly line = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  /** Answers in its turn; never to a caller who has gone away. */
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
