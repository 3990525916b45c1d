import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { UnknownCallers } from './unknown-callers';

describe('unknown callers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** `ask` sends the request of a caller, and `answered` names the answered callers in order. */
  function observed() {
    const strangers = new UnknownCallers();
    const answered: string[] = [];
    const ask = async (name: string, headers = {}) => {
      const raw = new EventEmitter();
      const request = { raw: { headers } };
      strangers.answer({ raw, request } as unknown as FastifyReply, () => answered.push(name));
      await jest.advanceTimersByTimeAsync(0);
      return raw;
    };
    return { ask, answered };
  }

  it('are answered one at a time, in the order of arrival, with time for others in between', async () => {
    const { ask, answered } = observed();
    for (const name of ['a', 'b', 'c']) await ask(name);
    expect(answered).toEqual(['a']);
    await jest.advanceTimersToNextTimerAsync();
    expect(answered).toEqual(['a', 'b']);
    await jest.advanceTimersToNextTimerAsync();
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  it('wait longer after a request with a body, which costs more', async () => {
    const { ask, answered } = observed();
    await ask('a', { 'content-length': '5' });
    await ask('b', { 'transfer-encoding': 'chunked' });
    await ask('c');
    await jest.advanceTimersByTimeAsync(9);
    expect(answered).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(1);
    expect(answered).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(9);
    expect(answered).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(1);
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  it('are not delayed if they come alone, and leave no timer behind', async () => {
    const { ask, answered } = observed();
    await ask('a');
    await jest.runAllTimersAsync();
    await ask('b');
    expect(answered).toEqual(['a', 'b']);
    await jest.runAllTimersAsync();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('get no answer if they go away, and the next one gets it instead', async () => {
    const { ask, answered } = observed();
    await ask('a');
    (await ask('b')).emit('close');
    await ask('c');
    await jest.advanceTimersToNextTimerAsync();
    expect(answered).toEqual(['a', 'c']);
  });
});
