import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { carriedLines, reachedFrom, readCommitBodies } from './carried-lines';

describe('carried lines', () => {
  it.each([
    'Closes #12',
    'closes #12, closes #13',
    'Closes #12, #13',
    'closes #11, closes #13',
    'Close #1',
    'CLOSED #1.',
    'Fixes #12',
    'Fix #15',
    'Fixed GH-14',
    'Resolves #7',
    'resolve: #7',
    'Resolved acme/other#7',
    'Closes: #4',
    'Closes acme/other#9',
    'Closes acme/group/other.js#9, fixes #2 and resolves gh-3',
    'Closes https://forge.example/acme/app/issues/10',
    'Fixes: http://forge.example:3000/group/sub/app/-/issues/10, and #2',
    'Reproduces: sign in twice',
    'Regression-Test: login.spec',
    'Regression-Test-Waived: needs a display',
    'Co-authored-by: Bob <bob@example.com>',
    'signed-off-by: Ada <ada@example.com>',
  ])('carries %j', (line) => {
    expect(carriedLines([`Why this is so.\n\n${line}  \n`])).toEqual([line]);
  });

  it.each([
    'Closes the door',
    'This closes #12',
    'Fixing #12',
    'Prefixes #12',
    'Fixes GH14',
    'Fixes #',
    'Fixes acme#',
    'Closes https://forge.example/acme/app/pulls/10',
    'Closes #12,',
    'Reproduces:',
    'Signed-off-by:',
    'Reviewed-by: A <a@b>',
    'Closes #12 was wrong',
  ])('leaves %j', (line) => {
    expect(carriedLines([line])).toEqual([]);
  });

  it('carries the people in a paragraph of their own, which is the last', () => {
    const bodies = [
      'Signed-off-by: A <a@b>\nFixes #1',
      'Co-authored-by: B <b@c>\nSIGNED-OFF-BY: A <A@b>\nfixes #1',
    ];
    expect(carriedLines(bodies)).toEqual([
      'Fixes #1',
      '',
      'Signed-off-by: A <a@b>',
      'Co-authored-by: B <b@c>',
    ]);
  });

  it('judges a long line at once', () => {
    const long = `Closes ${'a/'.repeat(100_000)} ${'#1, '.repeat(100_000)}`;
    expect(carriedLines([long, `Closes http://x/${'/issues/'.repeat(50_000)}`])).toEqual([]);
  });

  it('carries each line once, in the order of its first appearance', () => {
    expect(carriedLines(['Closes #2\nCloses #1', 'Closes #1\nReproduces: x', 'Closes #2'])).toEqual([
      'Closes #2',
      'Closes #1',
      'Reproduces: x',
    ]);
  });

  it('has bounds, so that no branch makes a commit that cannot be verified once it is pushed', () => {
    const lines = Array.from({ length: 5000 }, (_, at) => `Co-authored-by: Bob ${at} <bob@example.com>`);
    expect(carriedLines([lines.join('\n')])).toEqual(lines.slice(0, 200));
    expect(carriedLines([`Signed-off-by: ${'x'.repeat(2000)}`])).toEqual([]);
  });

  it('is none of messages that are too long to be read', async () => {
    const tooLarge = () => Promise.reject(new Failure('GIT_OUTPUT_TOO_LARGE', 'git log printed too much.'));
    const long = () => Promise.resolve(`a\u001fb\u001f${'x\n'.repeat(10_000_000)}\0`);
    for (const run of [tooLarge, long]) {
      expect(await readCommitBodies({ run } as unknown as Git, 'main', ['feature/1'])).toEqual([]);
    }
  });

  it('is read of a commit that names its parent more often than a function takes arguments', () => {
    const commits = [
      { commit: 'b', parents: [], body: '' },
      { commit: 'a', parents: Array<string>(300_000).fill('b'), body: '' },
    ];
    expect(reachedFrom('a', commits)).toEqual(commits);
  });
});
