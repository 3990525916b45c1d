import { blocksOf, namesBlock, OPERATORS_PAGES, RUN_BY } from './page-blocks';

describe("the blocks of the operator's pages", () => {
  const printed = OPERATORS_PAGES.flatMap((page) => blocksOf(page));

  it('have each a spec that runs it', () => {
    expect(Object.keys(RUN_BY).sort()).toEqual([...printed].sort());
  });

  it.each(Object.entries(RUN_BY))('%s is named by %s', (key, spec) => {
    expect(spec).toMatch(/\.peers\.spec\.ts$/);
    expect(namesBlock(spec, key.split(' ').at(-1)!)).toBe(true);
  });

  it.each([
    ['a new block that is in no register', '```sh new-one\nrm x\n```\n', ['page.md sh new-one']],
    ['a block in a list', '1. x\n   ```sql a-b\n   x\n   ```\n', ['page.md sql a-b']],
  ])('are seen: %s', (_, text, keys) => {
    expect(blocksOf('page.md', text)).toEqual(keys);
  });

  it.each(['```\nx\n```', '```sh\nx\n```', '```sh one\nx\n```\n```sh one\ny\n```'])(
    'have a name that no other has: %j is refused',
    (text) => {
      expect(() => blocksOf('page.md', text)).toThrow(/has no name|is there twice/);
    },
  );
});
