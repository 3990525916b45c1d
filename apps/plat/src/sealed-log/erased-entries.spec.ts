import { Altered } from './altered';
import { ErasedEntries } from './erased-entries';

describe('the entries that are erased', () => {
  it.each([
    ['0-4', 0],
    ['1-2,4-6', 5],
    ['5', 5],
    ['6-9', 9],
    ['1-4,6-8', undefined],
    ['10', undefined],
  ])('have no key and no erasure among them: %s', (text, lasting) => {
    const entries = new ErasedEntries();
    for (const index of [0, 5, 9]) entries.keep(index);
    const erase = () => entries.erase(text, 20);
    if (lasting === undefined) return expect(erase).not.toThrow();
    expect(erase).toThrow(
      new Altered(`Entry 20 erases entry ${lasting}, which is a key or an erasure itself.`),
    );
  });

  it('are found among 200,000 erasures as quickly as among few', () => {
    const entries = new ErasedEntries();
    for (let index = 0; index < 400_000; index += 2) {
      entries.withhold(index);
      entries.erase(`${index}`, index + 1);
      entries.keep(index + 1);
    }
    expect(entries.firstUnexplained()).toBeUndefined();
    entries.withhold(400_000);
    expect(entries.firstUnexplained()).toBe(400_000);
  });
});
