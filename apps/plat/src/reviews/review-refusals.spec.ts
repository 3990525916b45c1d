import { REQUEST_ID } from '../black-box/platform-double';
import { ID, REPOSITORY, reviewStands } from '../black-box/review-stand';

describe('the review commands', () => {
  const setUp = reviewStands();
  const QUEUE = ['--target-branch', 'main', '--repository', REPOSITORY];

  describe('report a refusal of the platform', () => {
    it('as one object with code, message, details and exitCode', async () => {
      const { platform, plat } = await setUp();
      const details = { targetBranch: 'main', reviewId: ID, name: 'Other', sourceBranch: 'bug/7-clock' };
      const body = { code: 'MERGE_QUEUE_OCCUPIED', message: 'The slot is taken.', details };
      platform.answer('POST /v1/reviews/merge-queue/advance', { status: 409, body });
      const run = await plat('review', 'queue', 'advance', ...QUEUE);
      expect(run.code).toBe(1);
      expect(run.json()).toEqual({
        code: 'MERGE_QUEUE_OCCUPIED',
        message: 'The slot is taken. It is held by "Other" (bug/7-clock).',
        details: { ...details, requestId: REQUEST_ID, next: `plat review show ${ID}` },
        exitCode: 1,
      });
    });

    it('also if the answer has `error` instead of a code: unresolved threads', async () => {
      const { platform, plat } = await setUp();
      const body = {
        error: 'unresolved_threads',
        message: 'Threads are open.',
        reviewId: ID,
        unresolvedThreads: 2,
      };
      platform.answer('POST /v1/reviews/merge-queue/advance', { status: 409, body });
      expect((await plat('review', 'queue', 'advance', ...QUEUE)).json()).toMatchObject({
        code: 'unresolved_threads',
        details: { reviewId: ID, unresolvedThreads: 2 },
      });
    });

    it('to a person: the reason, the next step and the request id, on stderr, without control sequences', async () => {
      const { machine, platform } = await setUp();
      const body = { code: 'EMPTY_QUEUE', message: 'Nothing \u001b[31mwaits.' };
      platform.answer('POST /v1/reviews/merge-queue/advance', { status: 404, body });
      const run = await machine.plat(['review', 'queue', 'advance', ...QUEUE]);
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toBe(
        `error EMPTY_QUEUE: Nothing  [31mwaits.\nnext: plat review list --status OPEN\nrequest ${REQUEST_ID}\n`,
      );
    });

    it('if the platform does not answer', async () => {
      const { machine, platform, plat } = await setUp();
      await platform.close();
      expect((await plat('review', 'list')).json()).toMatchObject({
        code: 'PLATFORM_UNREACHABLE',
        exitCode: 1,
      });
      await machine.remove();
    });
  });
});
