import { carriedLines } from './carried-lines';

describe('carried lines', () => {
  it.each([
    'Closes #12',
    'closes #12, closes #13',
    'Closes #12, #13',
    'Reproduces: sign in twice',
    'Regression-Test: login.spec',
    'Regression-Test-Waived: needs a display',
  ])('carries %j', (line) => {
    expect(carriedLines([`Why this is so.\n\n${line}  \n`])).toEqual([line]);
  });

  it.each([
    'Closes the door',
    'This closes #12',
    'Fixes #12',
    'Reproduces:',
    'Signed-off-by: A <a@b>',
    'Closes #12 was wrong',
  ])('leaves %j', (line) => {
    expect(carriedLines([line])).toEqual([]);
  });

  it('carries each line once, in the order of its first appearance', () => {
    expect(carriedLines(['Closes #2\nCloses #1', 'Closes #1\nReproduces: x', 'Closes #2'])).toEqual([
      'Closes #2',
      'Closes #1',
      'Reproduces: x',
    ]);
  });
});
