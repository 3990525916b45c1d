import type { LoggedMove, MoveName } from './history';

type Status = 'OPEN' | 'READY' | 'MERGE' | 'FAILED' | 'MERGED' | 'CLOSED';

interface Entry {
  status: Status;
  repository: string | null;
  ticket: number | null;
}

const FROM: Readonly<Record<MoveName, readonly Status[]>> = {
  ready: ['OPEN', 'FAILED'],
  promote: ['READY'],
  requeue: ['MERGE'],
  fail: ['OPEN', 'READY', 'MERGE', 'FAILED'],
  close: ['OPEN', 'READY', 'FAILED'],
  merge: ['MERGE'],
  reconcile: ['OPEN', 'READY', 'FAILED'],
};
const TO: Readonly<Record<MoveName, Status>> = {
  ready: 'READY',
  promote: 'MERGE',
  requeue: 'READY',
  fail: 'FAILED',
  close: 'CLOSED',
  merge: 'MERGED',
  reconcile: 'MERGED',
};

/**
 * A queue by the contract: one line and one slot for each repository, first in first out. Moves are made one by one.
 */
export class QueueModel {
  private readonly entries = new Map<string, Entry>();
  private version = 0;
  private lastTicket = 0;

  /** Makes the next move of the log. @returns its violations of the contract */
  make({ version, reviewId, repository, move, ticket }: LoggedMove): string[] {
    const entry = this.entries.get(reviewId) ?? { status: 'OPEN', repository, ticket: null };
    const faults: string[] = [];
    if (version !== this.version + 1) faults.push(`version ${version} follows ${this.version}`);
    if (!FROM[move].includes(entry.status)) faults.push(`${move} of a review at ${entry.status}`);
    if (move === 'promote') faults.push(...this.refuseToPromote(entry));
    const enters = move === 'ready' || move === 'requeue';
    if (enters && (ticket ?? 0) <= this.lastTicket) faults.push(`ticket ${ticket} after ${this.lastTicket}`);
    if (enters) this.lastTicket = Math.max(this.lastTicket, ticket ?? 0);
    this.version = version;
    this.entries.set(reviewId, { status: TO[move], repository, ticket: enters ? ticket : null });
    return faults;
  }

  /** The review in the slot of a repository. */
  occupant(repository: string | null): string | undefined {
    for (const [reviewId, entry] of this.entries) {
      if (entry.status === 'MERGE' && entry.repository === repository) return reviewId;
    }
    return undefined;
  }

  waiting(repository: string | null): number {
    return this.line(repository).length;
  }

  /** The reviews of a repository that wait, in the order in which they are promoted. */
  line(repository: string | null): string[] {
    return [...this.entries]
      .filter(([, entry]) => entry.status === 'READY' && entry.repository === repository)
      .sort(([, one], [, other]) => (one.ticket ?? 0) - (other.ticket ?? 0))
      .map(([reviewId]) => reviewId);
  }

  private refuseToPromote({ repository, ticket }: Entry): string[] {
    const faults: string[] = [];
    if (this.occupant(repository) !== undefined) faults.push('promote into a slot that is taken');
    // A row without a repository is promoted only from the line that it shares with a named one.
    const passedOver = [...this.entries.values()].some(
      (other) =>
        other.status === 'READY' &&
        (other.ticket ?? 0) < (ticket ?? 0) &&
        (repository === null || other.repository === repository),
    );
    if (passedOver) faults.push('promote of a review that is not the first of its line');
    return faults;
  }
}
