import { filesInTheWay } from '../checkout/files-in-the-way';
import { gitFailure, gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { withSlotKept } from './slot-kept';

describe('a checkout that stops the drive of a review', () => {
  const state = { review: { reviewId: 'r-1', name: 'Add limits', sourceBranch: 'feature/1' } };
  const stopped = (error: unknown) => withSlotKept({ targetBranch: 'main' }, state, error);

  it('names the review that keeps the slot, the files, and both ways out', () => {
    expect(stopped(filesInTheWay(gitIn('/app'), ['dist/app.js']))).toMatchObject({
      code: 'FILES_IN_THE_WAY',
      message: expect.stringMatching(
        /dist\/app\.js\. "Add limits" keeps the slot of main until then\.$/,
      ) as unknown,
      details: { files: ['dist/app.js'], reviewId: 'r-1' },
      next: 'move them elsewhere, then repeat the command; or put the review back: plat drive --target-branch main --give-up',
    });
  });

  it('names them also if only git can say what is wrong, such as a filter that fails', () => {
    const said = 'error: external filter failed';
    expect(stopped(gitFailure(['checkout'], { code: 128, stdout: '', stderr: said }))).toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringMatching(
        /filter failed\. "Add limits" keeps the slot of main until then\.$/,
      ) as unknown,
      next: 'mend what is named, then repeat the command; or put the review back: plat drive --target-branch main --give-up',
    });
  });

  it('leaves any other error unchanged: another holder’s review must not be given up', () => {
    const other = new Failure('GATED_ELSEWHERE', 'It is gated elsewhere.', { next: 'wait' });
    expect(stopped(other)).toBe(other);
  });
});
