import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { UnknownCallers } from './unknown-callers';

describe('the line of unknown callers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A new line: `ask` adds a caller to it, and `answered` names the answered callers in order. */
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

  it('answers one at a time, in the order of arrival, with time for others in between', () => {
    const { ask, answered } = observed();
    for (const name of ['a', 'b', 'c']) ask(name);
    expect(answered).toEqual(['a']);
    jest.advanceTimersToNextTimer();
    expect(answered).toEqual(['a', 'b']);
    jest.advanceTimersToNextTimer();
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  it('waits longer after a request with a body, which costs more', () => {
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

  it('does not delay a caller that comes alone, and keeps no timer afterwards', () => {
    const { ask, answered } = observed();
    ask('a');
    jest.runAllTimers();
    ask('b');
    expect(answered).toEqual(['a', 'b']);
    jest.runAllTimers();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends no answer to a caller that goes away, and answers the next one instead', () => {
    const { ask, answered } = observed();
    ask('a');
    ask('b').emit('close');
    ask('c');
    jest.advanceTimersToNextTimer();
    expect(answered).toEqual(['a', 'c']);
  });
});
