import fc from 'fast-check';
import { git, GitRemote } from '@plat/testing';
import { LineSteps } from '../line-steps';
import { objectIdOf } from '../pack/object-id';
import { lineChanges } from './line-changes';
import { mergeChanges, type Sides } from './merge-lines';

const steps = new LineSteps(Infinity);

const mergeLines = (base: string[], sides: Sides) => {
  const [ours, theirs] = [sides.ours, sides.theirs].map((side) => lineChanges(base, side, steps));
  return ours && theirs && mergeChanges({ ours, theirs }, sides);
};

const MERGES = 600;

/** Texts of few different lines: these can be paired in many ways, and there merges can differ. */
const someLines = fc
  .tuple(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 0, max: 40 }), fc.infiniteStream(fc.nat()))
  .map(([words, length, choices]) =>
    Array.from({ length }, () => `line ${(choices.next().value as number) % words}\n`),
  );

/** The base with a few ranges of lines replaced. */
const editsOf = (base: string[]) =>
  fc
    .array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.array(fc.nat({ max: 14 }), { maxLength: 3 })), {
      maxLength: 4,
    })
    .map((edits) =>
      edits.reduce(
        (lines, [at, deleted, words]) =>
          lines.toSpliced(at % (lines.length + 1), deleted, ...words.map((word) => `line ${word}\n`)),
        base,
      ),
    );

const merges = someLines.chain((base) => fc.tuple(fc.constant(base), editsOf(base), editsOf(base)));

const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const merged = (base: string, ours: string, theirs: string): string | undefined =>
  mergeLines(split(base), { ours: split(ours), theirs: split(theirs) })?.lines?.join('');

describe('mergeChanges', () => {
  it.each([
    ['changes apart from each other', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['the same change on both sides', 'a\nb\n', 'A\nb\n', 'A\nb\n', 'A\nb\n'],
    ['a deletion and an edit elsewhere', 'a\nb\nc\n', 'b\nc\n', 'a\nb\nc\nd\n', 'b\nc\nd\n'],
    ['a last line without its newline', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
    ['nothing on one side', 'a\n', 'a\n', '', ''],
  ])('merges %s', (_, base, ours, theirs, result) => expect(merged(base, ours, theirs)).toBe(result));

  it.each([
    ['different changes of one line', 'a\nb\n', 'A\nb\n', 'x\nb\n'],
    ['changes that touch', 'a\nb\n', 'A\nb\n', 'a\nB\n'],
    ['an edit of what the other side deleted', 'a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n'],
  ])('sees a conflict in %s', (_, base, ours, theirs) => expect(merged(base, ours, theirs)).toBeUndefined());

  it('merges what git merges, to the same bytes, and sees a conflict where git does', async () => {
    const cases = fc.sample(merges, MERGES);
    const remote = await GitRemote.create();
    try {
      const commit = (place: 0 | 1 | 2, parents: number[]) => ({
        parents,
        date: 1e9,
        files: Object.fromEntries(cases.map((texts, index) => [`${index}`, texts[place].join('')])),
      });
      const [, ours, theirs] = await remote.import([commit(0, []), commit(1, [0]), commit(2, [0])], {});
      const { tree, conflicts } = await remote.mergeTree(ours as string, theirs as string);
      const entries = (await git(remote.worktree, ['ls-tree', tree])).split('\n');
      const blobOf = new Map(
        entries.map((entry) => entry.split(/[ \t]/).slice(2).reverse() as [string, string]),
      );
      const differing = cases.filter(([base, our, their], index) => {
        const lines = mergeLines(base, { ours: our, theirs: their })?.lines;
        const expected = conflicts.includes(`${index}`) ? undefined : blobOf.get(`${index}`);
        return (lines && objectIdOf('blob', Buffer.from(lines.join('')))) !== expected;
      });
      expect(conflicts.length).toBeGreaterThan(MERGES / 10);
      expect(differing.slice(0, 3)).toEqual([]);
    } finally {
      await remote.remove();
    }
  }, 60_000);
});
