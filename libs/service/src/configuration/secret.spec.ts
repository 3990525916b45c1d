import { inspect } from 'node:util';
import { Secret } from './secret';

describe('a secret', () => {
  const secret = new Secret('hunter2');

  it.each([
    ['text', () => `${secret}`],
    ['JSON', () => JSON.stringify({ secret })],
    ['an inspection', () => inspect({ secret }, { depth: 9, showHidden: true })],
    ['concatenation', () => 'a' + String(secret)],
  ])('prints as *** in %s', (_, print) => {
    expect(print()).toContain('***');
    expect(print()).not.toContain('hunter2');
  });

  it('is revealed to the one place that asks for it', () => {
    expect(secret.reveal()).toBe('hunter2');
  });
});
