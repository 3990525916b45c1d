import { describeFault } from './fault';

describe('the sentence about a wrong value', () => {
  it('counts the characters that were given, not the quotes around them', () => {
    const sentence = describeFault({ field: 'service', value: 'a'.repeat(64), why: 'is too long' });
    expect(sentence).toBe(`service "${'a'.repeat(59)}… (64 characters) is too long`);
  });

  it('repeats a value of the largest length whole', () => {
    const value = 'a'.repeat(58);
    expect(describeFault({ field: 'service', value, why: 'is odd' })).toBe(`service "${value}" is odd`);
  });
});
