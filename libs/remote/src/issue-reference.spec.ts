import { issueReference } from './issue-reference';

describe('issueReference', () => {
  it.each([
    ['feature/12-add-queue', '12'],
    ['bug/7-x', '7'],
    ['feature/12-', '12'],
    ['feature/0012-x', '0012'],
    ['bug/9-a/b-3', '9'],
  ])('the branch %s names an issue', (branch, issue) => {
    expect(issueReference(branch)).toBe(issue);
  });

  it.each([
    'feature/12',
    'feature/-x',
    'Feature/12-x',
    'BUG/12-x',
    'feature/x-12-y',
    'my-feature/12-x',
    'refs/heads/feature/12-x',
    'fix/12-x',
    'feature12-x',
    'feature/12_x',
    'feature/١٢-x',
    ' feature/12-x',
    'release-12',
    '',
    `feature/${'1'.repeat(300)}-x`,
  ])(
    'a branch that follows no such convention, or that merely contains a number, yields none: %j',
    (branch) => {
      expect(issueReference(branch)).toBeUndefined();
    },
  );
});
