import type { DriveReport } from './drive';
import type { DrivenReview } from './drive-context';
import { driveView, unmergedReviews, unmergedText } from './drive-view';

describe('the output of a drive', () => {
  const review = (reviewId: string, facts: Partial<DrivenReview>): DrivenReview => ({
    reviewId,
    name: `Review ${reviewId}`,
    sourceBranch: `feature/${reviewId}`,
    outcome: 'MERGED',
    ...facts,
  });
  const report = (...reviews: DrivenReview[]): DriveReport => ({
    targetBranch: 'main',
    repository: 'r',
    reviews,
  });
  const stages = [
    { image: 'app', stage: 'test' },
    { image: 'app-worker', stage: 'test' },
  ];
  const tested = { stages, untestedImages: ['app-docs'] };
  const all = report(
    review('1', { mergeCommit: 'abc', tested, pullRequest: { number: 7, url: 'u', closed: true } }),
    review('2', { pullRequest: { closed: false, reason: 'no' } }),
    review('3', { outcome: 'FAILED', detail: 'The gate exited with 1.\nlog' }),
    review('4', { outcome: 'ABANDONED' }),
    review('5', { outcome: 'MERGED_ELSEWHERE', contentVerdict: 'DIVERGENT' }),
    review('6', { contentVerdict: 'BY_HAND' }),
  );

  it('is a line for each review, with what tested it, its detail’s first line and its pull request’s result', () => {
    expect(driveView(all).rows).toEqual([
      [
        '1',
        'MERGED',
        'feature/1',
        'abc',
        '#7 closed',
        'stage test of app, app-worker; none in app-docs',
        'Review 1',
        undefined,
      ],
      ['2', 'MERGED', 'feature/2', undefined, 'not closed', undefined, 'Review 2', undefined],
      ['3', 'FAILED', 'feature/3', undefined, undefined, undefined, 'Review 3', 'The gate exited with 1.'],
      ['4', 'ABANDONED', 'feature/4', undefined, undefined, undefined, 'Review 4', undefined],
      [
        '5',
        'MERGED_ELSEWHERE DIVERGENT',
        'feature/5',
        undefined,
        undefined,
        undefined,
        'Review 5',
        undefined,
      ],
      ['6', 'MERGED BY_HAND', 'feature/6', undefined, undefined, undefined, 'Review 6', undefined],
    ]);
  });

  it('lists failed and abandoned reviews as not merged, but none that was merged elsewhere', () => {
    const unmerged = unmergedReviews(all);
    expect(unmerged.map(({ reviewId }) => reviewId)).toEqual(['3', '4']);
    expect(unmergedText(all, unmerged)).toBe(
      [
        'Not merged: 2 of 6.',
        '  "Review 3" is FAILED: The gate exited with 1. (plat review show 3)',
        '  "Review 4" is ABANDONED (plat review show 4)',
      ].join('\n'),
    );
  });
});
