import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { UnknownCallers } from './unknown-callers';

describe('the line of those whom nobody knows', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Callers of which a test sees who was answered, in order. */
  function observed() {
    const strangers = new UnknownCallers();
    const answered: string[] = [];
    const ask = (name: string, headers = {}) => {
      const raw = new EventEmitter();
      const request = { raw: { headers } };
      strangers.answer({ raw, request } as unknown as FastifyReply, () => answered.push(name));
      return raw;
    };
    return { ask, answered };
  }

  it('is left by one at a time, first come, with time for others between them', () => {
    const { ask, answered } = observed();
    for (const name of ['a', 'b', 'c']) ask(name);
    expect(answered).toEqual(['a']);
    jest.advanceTimersToNextTimer();
    expect(answered).toEqual(['a', 'b']);
    jest.advanceTimersToNextTimer();
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  it('moves on later after a request with a body, which cost more', () => {
    const { ask, answered } = observed();
    ask('a', { 'content-length': '5' });
    ask('b', { 'transfer-encoding': 'chunked' });
    ask('c');
    jest.advanceTimersByTime(9);
    expect(answered).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect(answered).toEqual(['a', 'b']);
    jest.advanceTimersByTime(9);
    expect(answered).toEqual(['a', 'b']);
    jest.advanceTimersByTime(1);
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  it('delays nobody who comes alone, and keeps no timer afterwards', () => {
    const { ask, answered } = observed();
    ask('a');
    jest.runAllTimers();
    ask('b');
    expect(answered).toEqual(['a', 'b']);
    jest.runAllTimers();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is left without an answer by whoever goes away', () => {
    const { ask, answered } = observed();
    ask('a');
    ask('b').emit('close');
    ask('c');
    jest.advanceTimersToNextTimer();
    expect(answered).toEqual(['a', 'c']);
  });
});
