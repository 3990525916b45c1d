import { Budget } from '../budget';
import { defaultVerifierCaps } from '../config';
import { KnownChanges } from './known-changes';

const lines = (change: Record<number, string> = {}): string[] =>
  Array.from({ length: 100 }, (_, index) => `${change[index] ?? index}\n`);
const texts = { base: lines(), ours: lines({ 10: 'ours' }), theirs: lines({ 90: 'theirs' }) };
const merged = lines({ 10: 'ours', 90: 'theirs' });

const changesWithin = (lineSteps: number) =>
  KnownChanges.of(new Budget({ ...defaultVerifierCaps, lineSteps }));

it('compares the same files once in a verification', () => {
  const changes = changesWithin(5_000);
  const ids = { base: 'b', ours: 'o', theirs: 't' };
  expect(changes.mergeLines(ids, texts)?.lines).toEqual(merged);
  expect(changes.mergeLines(ids, texts)?.lines).toEqual(merged);
  const turned = { ...texts, ours: texts.theirs, theirs: texts.ours };
  expect(changes.mergeLines({ base: 'b', ours: 't', theirs: 'o' }, turned)?.lines).toEqual(merged);
  expect(() => changes.mergeLines({ base: 'b', ours: 'o', theirs: 'u' }, texts)).toThrow(
    'lines take too long to compare',
  );
});
