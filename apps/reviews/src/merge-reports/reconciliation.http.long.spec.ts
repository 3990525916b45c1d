import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import { MergeStand, notVerified } from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

describe('PATCH /v1/reviews/{review_id}/status, MERGED on a review at OPEN, READY or FAILED', () => {
  describe('200', () => {
    it('a reconciled merge does not change the anchor of later promotions', async () => {
      const bundle = await stand.repository();
      const { commitId: anchor } = await bundle.mergeReview();
      const { id, sourceBranch } = await bundle.proposeReview();
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      await bundle.report(id);
      const next = await bundle.openGated();
      expect((await bundle.report(next.id, next.buildId)).status).toBe(200);
      expect(await bundle.verificationOf(next.id)).toMatchObject([{ anchor_commit_id: anchor }]);
    });
  });

  describe('409 MERGE_NOT_VERIFIED, and nothing changes', () => {
    it('the remote is another repository', async () => {
      const [bundle, other] = [await stand.repository(), await stand.repository()];
      const { id } = await bundle.proposeReview();
      const { remoteUrl } = other;
      expect(await bundle.expectRefusal(() => bundle.with({ remoteUrl }).report(id))).toEqual(
        notVerified('remote_mismatch'),
      );
    });
  });
});
