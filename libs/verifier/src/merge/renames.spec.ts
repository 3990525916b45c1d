import fc from 'fast-check';
import { git, GitRemote } from '@plat/testing';
import { LineSteps } from '../line-steps';
import { objectIdOf } from '../pack/object-id';
import { type NamedEntry, RenameDetection } from './renames';

const CASES = 25;
const DIRECTORIES = ['', 'lib/', 'lib/deep/', 'src/'];
const NAMES = ['index', 'util', 'main'];

/** Files that share lines, so that some are similar by more than half and some by less. */
const content = fc
  .array(fc.nat({ max: 9 }), { minLength: 4, maxLength: 14 })
  .map((lines) => lines.map((line) => `a line with the number ${line}\n`).join(''));
const path = fc
  .tuple(fc.constantFrom(...DIRECTORIES), fc.constantFrom(...NAMES))
  .map(([directory, name]) => directory + name);
const files = fc.dictionary(path, content, { minKeys: 2, maxKeys: 6 });
const edits = fc.record({ to: path, line: fc.nat({ max: 40 }) });
const sides = files.chain((base) =>
  fc.tuple(
    fc.constant(base),
    fc.dictionary(fc.constantFrom(...Object.keys(base)), edits, { minKeys: 1 }),
    fc.dictionary(path, content, { maxKeys: 2 }),
  ),
);

const unlimited = () => new LineSteps(Infinity);

type Files = Record<string, string>;

/** Moves and edits some of the base's files, and adds others. */
function moved(base: Files, moves: Record<string, { to: string; line: number }>, added: Files): Files {
  const side: Files = { ...added };
  for (const [from, text] of Object.entries(base)) {
    const move = moves[from];
    if (move === undefined) side[from] = text;
    else if (!(move.to in base)) side[`${move.to}.moved`] = text.replace(/\d/, `${move.line}`);
  }
  return side;
}

const entryOf = (text: string) => ({ mode: '100644', id: objectIdOf('blob', Buffer.from(text)) });
const named = (all: Files, others: Files): NamedEntry[] =>
  Object.keys(all)
    .filter((name) => !(name in others))
    .sort()
    .map((name) => ({ path: name, entry: entryOf(all[name] as string) }));

describe('renames', () => {
  it('equal those that git finds by its own similarity', async () => {
    const cases = fc.sample(sides, { numRuns: CASES, seed: 7 });
    const remote = await GitRemote.create();
    try {
      let found = 0;
      for (const [base, moves, added] of cases) {
        const side = moved(base, moves, added);
        const ids = await remote.import(
          [base, side].map((each, index) => ({
            parents: index === 0 ? [] : [0],
            date: 1e9,
            files: each,
          })),
          {},
        );
        const args = ['diff-tree', '-r', '--diff-filter=R', '-M50%', '-l0', '--no-rename-empty', ...ids];
        const rows = (await git(remote.worktree, args)).split('\n').filter((row) => row !== '');
        const expected = rows.map((row) => row.split('\t').slice(1).join(' to ')).sort();
        const texts = [...Object.values(base), ...Object.values(side)];
        const contents = new Map(texts.map((text) => [entryOf(text).id, Buffer.from(text)]));
        const deleted = named(base, side);
        const detection = new RenameDetection(
          { deleted, added: named(side, base) },
          (id) => contents.get(id) as Buffer,
          unlimited(),
        );
        const renamed = detection.find(new Set(deleted.map((each) => each.path)));
        found += renamed.size;
        expect([...renamed].map(([from, to]) => `${from} to ${to.path}`).sort()).toEqual(expected);
      }
      expect(found).toBeGreaterThan(CASES / 2);
    } finally {
      await remote.remove();
    }
  }, 60_000);

  it('exist for submodules, and not for empty files', () => {
    const empty = { mode: '100644', id: objectIdOf('blob', Buffer.alloc(0)) };
    const module = { mode: '160000', id: 'a'.repeat(40) };
    const files = (prefix: string) => [
      { path: `${prefix}one`, entry: empty },
      { path: `${prefix}two`, entry: module },
    ];
    const moved = { deleted: files(''), added: files('new-') };
    const detection = new RenameDetection(moved, () => Buffer.alloc(0), unlimited());
    expect([...detection.find(new Set(['one', 'two'])).keys()]).toEqual(['two']);
  });

  it('are searched within the steps of a verification', () => {
    const file = (path: string, digit: string) => ({ path, entry: { mode: '100644', id: digit.repeat(40) } });
    const moved = { deleted: [file('one', 'a')], added: [file('two', 'b')] };
    const text = Buffer.from('a line\n'.repeat(100));
    const find = (steps: number) =>
      new RenameDetection(moved, () => text, new LineSteps(steps)).find(new Set(['one'])).size;
    expect(find(10_000)).toBe(1);
    expect(() => find(10)).toThrow('lines take too long to compare');
  });

  it('of a link require the same link', () => {
    const link = (id: string) => ({ mode: '120000', id: id.repeat(40) });
    const read = () => Buffer.from('target');
    const find = (id: string) =>
      new RenameDetection(
        { deleted: [{ path: 'one', entry: link('a') }], added: [{ path: 'two', entry: link(id) }] },
        read,
        unlimited(),
      ).find(new Set(['one']));
    expect(find('a').get('one')?.path).toBe('two');
    expect(find('b').size).toBe(0);
  });
});
