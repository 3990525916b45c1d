import { chapterRuns } from './page-order';

/** Blocks that a spec runs out of the page's order, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'deploy/README.md yaml directory': 'The commands of `migrate` name this file, so it is there before them.',
  'docs/operations.md sh archive': 'Only what is written after archiving began can be recovered to a moment.',
  'docs/operations.md sh base': 'The spec follows the dump to its end before it makes a base backup.',
  'docs/operations.md sh move-cancel':
    'A move that is finished cannot be cancelled, so another one is before.',
};

const isInOrder = (key: string): boolean => !(key in EXCEPTIONS);
const runs = chapterRuns();

describe("the blocks of a chapter of the operator's pages", () => {
  it.each(runs.filter(({ printed }) => printed.length > 1))(
    'are run in their order: $spec, $chapter',
    ({ printed, run }) => {
      expect(run.filter(isInOrder)).toEqual(printed.filter(isInOrder));
    },
  );

  it.each(Object.keys(EXCEPTIONS))('have no exception that is not needed: %s', (exception) => {
    const { printed, run } = runs.find((one) => one.printed.includes(exception))!;
    const isCompared = (key: string): boolean => key === exception || isInOrder(key);
    expect(run.filter(isCompared)).not.toEqual(printed.filter(isCompared));
  });
});
