import { ApiFault, ApiUnreachable } from './api-fault';
import { type Clock, sendOnce } from './send-once';

/** A clock that only the pauses move on. */
class PausedClock implements Clock {
  readonly pauses: number[] = [];
  private time = 0;

  now(): number {
    return this.time;
  }

  pause(milliseconds: number): Promise<void> {
    this.pauses.push(milliseconds);
    this.time += milliseconds;
    return Promise.resolve();
  }
}

describe('a creating call whose first request is still running', () => {
  const running = (retryAfterSeconds?: number) =>
    new ApiFault({ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE', message: 'm', retryAfterSeconds });

  /** Sends a call whose answer is lost, and then is refused with each of the errors in turn. */
  async function send(...refusals: ApiFault[]) {
    const clock = new PausedClock();
    const keys: string[] = [];
    const errors: Error[] = [new ApiUnreachable('https://api.example.com', 'ECONNRESET'), ...refusals];
    const sending = sendOnce(
      (key) => {
        keys.push(key);
        const error = errors.shift();
        return error ? Promise.reject(error) : Promise.resolve('made');
      },
      { seconds: 120, clock },
    );
    const outcome = await sending.catch((error: unknown) => error);
    return { outcome, keys, pauses: clock.pauses };
  }

  it('is asked for again under the same key, after the time that the answer names', async () => {
    const { outcome, keys, pauses } = await send(running(5), running(7));
    expect([outcome, pauses]).toEqual(['made', [5000, 7000]]);
    expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
  });

  it.each([0, undefined])(
    'is asked for again after a second at the earliest: Retry-After %p',
    async (named) => {
      const { outcome, pauses } = await send(running(named), running(named));
      expect([outcome, pauses]).toEqual(['made', [1000, 1000]]);
    },
  );

  it('is asked for no longer than for an answer, although it is always to be repeated at once', async () => {
    const endless = Array.from({ length: 1000 }, () => running(0));
    const { outcome, keys } = await send(...endless);
    expect(outcome).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    expect(keys).toHaveLength(122);
  });
});
