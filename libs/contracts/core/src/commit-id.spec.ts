import { isCommitId } from './commit-id';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

describe('a commitId', () => {
  it('is exactly 40 lowercase hex characters', () => {
    expect(isCommitId(COMMIT)).toBe(true);
  });

  it.each([
    ['39 characters', COMMIT.slice(1)],
    ['41 characters', `${COMMIT}0`],
    ['upper case', COMMIT.toUpperCase()],
    ['a letter beyond f', COMMIT.replace('f', 'g')],
    ['a line feed after 39', `${COMMIT.slice(1)}\n`],
    ['a line feed after 40', `${COMMIT}\n`],
    ['a SHA-256 name', COMMIT + COMMIT.slice(0, 24)],
    ['nothing', ''],
  ])('is not %s', (_, text) => {
    expect(isCommitId(text)).toBe(false);
  });
});
