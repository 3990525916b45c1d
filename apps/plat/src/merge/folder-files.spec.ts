import type { Git } from '../git/git';
import { countFilesBelow } from './folder-files';

const count = async (paths: string[], folders: string[]) =>
  Object.fromEntries(
    await countFilesBelow(
      {
        bytes: () => Promise.resolve(Buffer.from(paths.map((path) => `${path}\0`).join(''))),
      } as unknown as Git,
      { commit: 'a'.repeat(40), folders },
    ),
  );

describe('the files below folders', () => {
  it('are those of each folder, at any depth, and all below the root', async () => {
    const paths = ['a', 'b/a', 'b/c/a', 'b/c/d/a', 'bc/a'];
    expect(await count(paths, ['.', 'b', 'b/c', 'bc', 'x', 'b'])).toEqual({
      '.': 5,
      b: 3,
      'b/c': 2,
      bc: 1,
      x: 0,
    });
  });

  it('are counted in proportion to the length of the paths, whatever their names', async () => {
    const deep = `${'x'.repeat(1000)}/`.repeat(20_000);
    const { user } = process.cpuUsage();
    expect(await count([`${deep}a`, '/a', '//', 'a//b'], ['.', deep.slice(0, -1)])).toEqual({
      '.': 4,
      [deep.slice(0, -1)]: 1,
    });
    expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
  });
});
