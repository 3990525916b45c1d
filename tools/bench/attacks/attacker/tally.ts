import type { AttackOrder, AttackTally } from '../order';

/** The answers and cuts that one attacker sees. */
export class Tally implements AttackTally {
  readonly answers: Record<string, number> = {};
  cut = 0;

  answered(status: number): void {
    this.answers[status] = (this.answers[status] ?? 0) + 1;
  }
}

export interface Attack {
  order: AttackOrder;
  tally: Tally;
  stopped: AbortSignal;
}
