import { isMergedByMyers } from './merge-files';
import { runTriples } from './run-triples';

/** The same files in every run; the nightly tests use new ones. */
const SEED = 1;
const RUNS = 2_000;

it('a file carries a change if and only if the change is there, even among repeated lines', async () => {
  const { tally, wrong } = await runTriples({ runs: RUNS, seed: SEED });
  expect(wrong).toEqual([]);
  for (const kind of [
    "all: git's merge, accepted",
    'all but one: no merge of git, refused',
    'none: no merge of git, refused',
  ]) {
    expect(tally.get(kind)).toBeGreaterThan(RUNS / 50);
  }
}, 120_000);

describe("git's merge by Myers' diff", () => {
  const body = ['    expect(run()).toBe(true);', '  });', ''];
  const base = ['  return;', '}', '', "  it('gamma', () => {", ...body, '// TODO'];
  const source = base.with(3, "  it('omega', () => {");
  const triple = { base, source, before: base, landing: 'all but one' as const, hasLanded: false };

  it('finds the change in a file that can be aligned with the base in two ways', async () => {
    const landed = [
      "import { alpha } from './alpha';",
      ...body,
      "  it('omega', () => {",
      ...body,
      '  return;',
    ];
    expect(await isMergedByMyers({ ...triple, landed })).toBe(true);
  });

  it.each([
    ['lacks the change', base],
    ['contradicts it', base.with(3, "  it('delta', () => {")],
  ])('finds nothing in a file that %s', async (_, landed) => {
    expect(await isMergedByMyers({ ...triple, landed })).toBe(false);
  });
});
