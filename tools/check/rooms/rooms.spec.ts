import { circlesOf, sourcesOf } from './rooms.mjs';

/** Files of apps/shop by their path below its sources, each with what it imports. */
const shop = (files: Record<string, string[]>) =>
  Object.entries(files).map(([path, imports]) => ({
    path: `apps/shop/src/${path}.ts`,
    text: imports.map((from) => `import { x } from '${from}';\n`).join(''),
  }));
const circles = (files: Record<string, string[]>) => circlesOf('apps/shop/src', shop(files));

describe('the rooms of a project', () => {
  it('form a circle if two import each other', () => {
    const files = { 'orders/order': ['../prices/price'], 'prices/price': ['./tax', '../orders/total'] };
    expect(circles(files)).toEqual([
      {
        rooms: ['orders', 'prices'],
        imports: [
          'apps/shop/src/orders/order.ts -> apps/shop/src/prices/price.ts',
          'apps/shop/src/prices/price.ts -> apps/shop/src/orders/total.ts',
        ],
      },
    ]);
  });

  it('form a circle if imports lead back through a third, even if no file imports its way back', () => {
    const files = { 'a/one': ['../b/one'], 'b/two': ['../c/one'], 'c/two': ['../a/two'] };
    expect(circles(files).map(({ rooms }) => rooms)).toEqual([['a', 'b', 'c']]);
  });

  it('are folders with all below them, and files next to the folders', () => {
    expect(circles({ 'a/deep/one': ['../two'], 'a/two': ['./deep/one'] })).toEqual([]);
    expect(circles({ budget: ['./merge/text'], 'merge/lines': ['../budget.js'] })).toHaveLength(1);
  });

  it('may form two circles', () => {
    const files = { 'a/x': ['../b/x'], 'b/x': ['../a/x', '../c/x'], 'c/x': ['../d/x'], 'd/x': ['../c/x'] };
    expect(circles(files).map(({ rooms }) => rooms)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('form no circle by imports of specs, but form one by imports of types', () => {
    expect(circles({ 'a/x.spec': ['../b/x'], 'b/x': ['../a/y'] })).toEqual([]);
    const typed = [
      { path: 'apps/shop/src/a/x.ts', text: "export type { B } from '../b/x';" },
      { path: 'apps/shop/src/b/x.ts', text: "const a = await import('../a/x');" },
    ];
    expect(circlesOf('apps/shop/src', typed)).toHaveLength(1);
  });
});

describe('the sources', () => {
  it('are a folder for each app, lib and contract, and the tools', () => {
    const paths = [
      'apps/shop/src/main.ts',
      'apps/shop/src/a/b.ts',
      'apps/shop/build.ts',
      'libs/kit/src/index.ts',
      'libs/contracts/core/src/index.ts',
      'tools/check/x.ts',
    ];
    expect(sourcesOf(paths.map((path) => ({ path })))).toEqual([
      'apps/shop/src',
      'libs/kit/src',
      'libs/contracts/core/src',
      'tools',
    ]);
  });
});
