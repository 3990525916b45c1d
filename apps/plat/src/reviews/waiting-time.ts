import type { ApiClient, Review } from '@plat/api-client';
import type { ReviewStatus } from '@plat/contracts/core';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';

/** Each call may take so long, however little time is left: who waits no time at all still wants one look. */
const CALL_MILLISECONDS_MIN = 2000;
/** The longest that a timer of Node takes; a longer one fires at once. */
const TIMER_MILLISECONDS_MAX = 2 ** 31 - 1;

export interface TimedWait {
  /** What the review is named by. */
  review: string;
  until: readonly ReviewStatus[];
  timeoutMilliseconds: number;
  interrupted: AbortSignal;
}

/** The time of one wait: calls end when it is up, or when the user stops the wait. */
export class WaitingTime {
  private readonly deadline: number;
  private last?: Review;

  constructor(
    private readonly api: ApiClient,
    private readonly wait: TimedWait,
  ) {
    this.deadline = Date.now() + wait.timeoutMilliseconds;
  }

  /** In milliseconds; not positive when the time is up. */
  left(): number {
    return this.deadline - Date.now();
  }

  /** Keeps the review as it was last seen, for what is said when the time is up. */
  found(review: Review): void {
    this.last = review;
  }

  /** @throws Failure TIMED_OUT when the call was not answered in time, INTERRUPTED; what the call throws */
  async call<T>(made: (calls: ApiClient) => Promise<T>): Promise<T> {
    const silent = new AbortController();
    const milliseconds = Math.min(Math.max(this.left(), CALL_MILLISECONDS_MIN), TIMER_MILLISECONDS_MAX);
    const timer = setTimeout(() => silent.abort(this.isUp()), milliseconds);
    try {
      return await made(this.api.interruptedBy(AbortSignal.any([this.wait.interrupted, silent.signal])));
    } finally {
      clearTimeout(timer);
    }
  }

  /** What the wait fails with when its time is up. */
  isUp(): Failure {
    const { until, review } = this.wait;
    const next = `plat review show ${this.last?.reviewId ?? review}, or wait longer with --timeout <duration>`;
    const facts = { next, exitCode: ExitCode.timedOut };
    if (!this.last) return new Failure('TIMED_OUT', 'The platform has not answered: the time is up.', facts);
    const { reviewId, name, status } = this.last;
    return new Failure(
      'TIMED_OUT',
      `"${name}" is still at ${status}, not at ${until.join(' or ')}: the time is up.`,
      { ...facts, details: { reviewId, status } },
    );
  }
}
