/** How long a question for several groups may take until each group is asked for alone, in milliseconds. */
const SLOW_MS = 500;
/** How long after its last slow question a group is asked for apart from the others, in milliseconds. */
const APART_MS = 60_000;
/** How long a group that is asked for apart pauses after a question, in multiples of the question's time. */
const PAUSE = 3;

export interface RoundsParts {
  /** Shortest time between two questions for the same group, in milliseconds. */
  againMs: number;
  /** The groups for which there is something to ask. */
  groups(): Set<string>;
  /** Asks for some groups. @returns a function that passes on what was learnt */
  ask(groups: readonly string[]): Promise<() => void>;
  /** Receives the first failure of several in a row. */
  failed(error: unknown): void;
  /** Receives a group whose question was slow, so that it is asked for apart. */
  slow(group: string): void;
}

/** A group that is asked for apart from the others. */
interface ApartGroup {
  round: Round;
  /** When it may be asked for with the others again, by the clock of `performance`. */
  until: number;
}

/**
 * Asks for the versions of groups again and again, for all of them by one question. A group whose question is slow is asked
 * for apart, so that the keys of one tenant delay no other tenant's.
 */
export class VersionRounds {
  private readonly together = new Round(() => this.askTogether());
  private readonly apart = new Map<string, ApartGroup>();

  constructor(private readonly parts: RoundsParts) {}

  /** Asks for a group as soon as its interval permits. */
  soon(group: string): void {
    this.roundOf(group).soon();
  }

  /** Whether the last question for a group failed. */
  isBlind(group: string): boolean {
    return this.roundOf(group).failing;
  }

  end(): void {
    for (const round of [this.together, ...Array.from(this.apart.values(), (each) => each.round)]) {
      round.end();
    }
  }

  private roundOf(group: string): Round {
    return this.apart.get(group)?.round ?? this.together;
  }

  private async askTogether(): Promise<number | undefined> {
    const groups = [...this.parts.groups()].filter((group) => !this.apart.has(group));
    if (groups.length === 0) return undefined;
    if (!(await this.askInTime(groups))) {
      for (const group of groups) {
        if (groups.length === 1 || !(await this.askInTime([group]))) this.setApart(group);
      }
    }
    return this.parts.againMs;
  }

  /** Asks, and drops an answer that is late. @returns whether it was in time */
  private async askInTime(groups: readonly string[]): Promise<boolean> {
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, SLOW_MS).unref();
    });
    await Promise.race([late, this.ask(groups, this.together, () => isLate)]);
    clearTimeout(timer);
    return !isLate;
  }

  private setApart(group: string): void {
    const apart: ApartGroup = {
      until: performance.now() + APART_MS,
      round: new Round(() => this.askApart(group, apart)),
    };
    this.apart.set(group, apart);
    this.parts.slow(group);
    apart.round.soon();
  }

  private async askApart(group: string, apart: ApartGroup): Promise<number | undefined> {
    if (!this.parts.groups().has(group)) return undefined;
    const askedAt = performance.now();
    await this.ask([group], apart.round);
    const now = performance.now();
    const tookMs = now - askedAt;
    if (tookMs > SLOW_MS) apart.until = now + APART_MS;
    if (now > apart.until) {
      this.apart.delete(group);
      this.together.soon();
      return undefined;
    }
    return Math.max(this.parts.againMs, tookMs * (1 + PAUSE));
  }

  private async ask(groups: readonly string[], round: Round, isDropped = () => false): Promise<void> {
    try {
      const learn = await this.parts.ask(groups);
      if (isDropped()) return;
      learn();
      round.failing = false;
    } catch (error) {
      if (isDropped()) return;
      const isFirst = !round.failing;
      round.failing = true;
      if (isFirst) this.parts.failed(error);
    }
  }
}

/** Questions, one after the other. It rests while there is nothing to ask. */
class Round {
  failing = false;
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  private ended = false;
  private dueAt = -Infinity;

  /** @param ask returns the milliseconds from its beginning to the next question; undefined if there is nothing to ask */
  constructor(private readonly ask: () => Promise<number | undefined>) {}

  soon(): void {
    if (this.timer !== undefined || this.asking || this.ended) return;
    const waitMs = Math.max(this.dueAt - performance.now(), 0);
    this.timer = setTimeout(() => void this.run(), waitMs).unref();
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    this.timer = undefined;
    this.asking = true;
    const askedAt = performance.now();
    const againMs = await this.ask();
    this.asking = false;
    if (againMs === undefined) return;
    this.dueAt = askedAt + againMs;
    this.soon();
  }
}
