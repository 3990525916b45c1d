import type { ApiClient, Review } from '@plat/api-client';
import type { ReviewStatus } from '@plat/contracts/core';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** Shortest timeout of a call, even if the wait has less time left: a wait without any time still reads once. */
const CALL_MILLISECONDS_MIN = 2000;
/** The longest timer of Node; a longer one fires at once. */
const TIMER_MILLISECONDS_MAX = 2 ** 31 - 1;

export interface TimedWait {
  /** The review as given; undefined for that of the branch that is checked out. */
  review: string | undefined;
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

  /** Milliseconds left; not positive if the time is up. */
  left(): number {
    return this.deadline - Date.now();
  }

  /** Stores the last read review, for the message when the time is up. */
  found(review: Review): void {
    this.last = review;
  }

  /** @throws Failure TIMED_OUT if the call was not answered in time, INTERRUPTED; any failure of the call */
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

  /** The failure of the wait when its time is up. */
  isUp(): Failure {
    const { until, review } = this.wait;
    const next = nextStep(
      'plat review show',
      [this.last?.reviewId ?? review ?? '<review_id>'],
      ', or wait longer with --timeout <duration>',
    );
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
