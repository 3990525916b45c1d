import { preferredWait } from './preference';

it.each([
  ['wait=10', 10],
  ['wait = 10', 10],
  ['WAIT=10', 10],
  ['wait="10"', 10],
  ['respond-async, wait=10', 10],
  ['wait=10; why="now, and then"', 10],
  ['wait=5, wait=20', 5],
  ['wait=30', 30],
])('%s is understood', (prefer, seconds) => {
  expect(preferredWait(prefer)).toBe(seconds);
});

it.each(['wait=31', 'wait=3600', 'wait=9999999999'])('%s is clamped to the longest wait', (prefer) => {
  expect(preferredWait(prefer)).toBe(30);
});

it.each([
  undefined,
  '',
  'wait',
  'wait=',
  'wait=0',
  'wait=-1',
  'wait=1.5',
  'wait=ten',
  'wait=99999999999',
  'waits=10',
  'await=10',
  'return=minimal',
  'wait, wait=10',
])('%s asks for no wait', (prefer) => {
  expect(preferredWait(prefer)).toBeUndefined();
});
