import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import { MergeStand, notVerified, ReviewScene } from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

describe('PATCH /v1/reviews/{review_id}/status, MERGED on a review at OPEN, READY or FAILED', () => {
  describe('200', () => {
    it.each(['http', 'file'] as const)(
      'the source tip is in the history of the target: a fast-forward, over %s',
      async (served) => {
        const bundle = await stand.repository(served);
        const { id, sourceBranch, tip } = await bundle.proposeReview();
        await bundle.git.switch('main');
        await bundle.git.git('merge', '--quiet', '--ff-only', sourceBranch);
        const answer = await bundle.report(id);
        expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED' } });
        expect(await bundle.verificationOf(id)).toMatchObject([
          { route: 'reconciled', target_tip: tip, source_tip: tip, commit_id: tip, build_id: null },
        ]);
      },
    );

    it('a branch that sits exactly on the target tip has landed', async () => {
      const bundle = await stand.repository();
      const sourceBranch = `topic/${randomUUID()}`;
      await bundle.git.git('branch', sourceBranch, 'main');
      const id = await bundle.scene.open({ sourceBranch });
      expect((await bundle.report(id)).status).toBe(200);
    });

    it('everything that the source adds is in a squash commit of the target', async () => {
      const bundle = await stand.repository();
      const { id, sourceBranch } = await bundle.proposeReview();
      await bundle.git.switch('main');
      await bundle.git.commit({ 'other.txt': 'x\n' });
      await bundle.git.squash(sourceBranch);
      expect((await bundle.report(id)).status).toBe(200);
    });

    it('no lastMergedBuildId is recorded, no release is triggered, and a buildId that is sent is ignored', async () => {
      const bundle = await stand.repository();
      const { id, sourceBranch } = await bundle.proposeReview();
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      const { status, body } = await bundle.report(id, randomUUID());
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('lastMergedBuildId');
      expect(await bundle.releasesOf(id)).toEqual([]);
    });

    it.each(['READY', 'FAILED'] as const)('a review at %s leaves its queue', async (status) => {
      const bundle = await stand.repository();
      const { id, sourceBranch } = await bundle.proposeReview();
      await bundle.scene.comment(id);
      await bundle.scene.build(id, { successful: status === 'READY' });
      expect(await bundle.scene.status(id)).toBe(status);
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      expect((await bundle.report(id)).body.status).toBe('MERGED');
      expect(await bundle.scene.line()).not.toContain(id);
    });

    it('a review with no repository adopts the one that the remoteUrl names', async () => {
      const bundle = await stand.repository();
      const { sourceBranch } = await bundle.proposeReview();
      const scene = new ReviewScene(stand.service, null, 'main');
      const id = await scene.open({ sourceBranch });
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      const { body } = await bundle.report(id);
      expect(body).toMatchObject({
        status: 'MERGED',
        repository: expect.stringContaining('file://') as unknown,
      });
    });
  });

  describe('409 MERGE_NOT_VERIFIED, and nothing changes', () => {
    it('no target commit carries the change set', async () => {
      const bundle = await stand.repository();
      const { id } = await bundle.proposeReview();
      expect(await bundle.expectRefusal(() => bundle.report(id))).toEqual(notVerified('not_landed'));
    });

    it('the branch has unrelated history', async () => {
      const bundle = await stand.repository();
      const sourceBranch = `topic/${randomUUID()}`;
      await bundle.git.orphan(sourceBranch);
      await bundle.git.commit({ 'feature.txt': 'x\n' });
      const id = await bundle.scene.open({ sourceBranch });
      expect(await bundle.expectRefusal(() => bundle.report(id))).toEqual(notVerified('unrelated_history'));
    });

    it('the source branch is gone', async () => {
      const bundle = await stand.repository();
      const id = await bundle.scene.open();
      expect(await bundle.expectRefusal(() => bundle.report(id))).toEqual(notVerified('branch_missing'));
    });
  });

  describe('409 CONFLICT', () => {
    it('adopting a repository where the name is taken changes nothing', async () => {
      const bundle = await stand.repository();
      const { sourceBranch } = await bundle.proposeReview();
      const id = await new ReviewScene(stand.service, null, 'main').open({ sourceBranch });
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      // A MERGED review reserves no pair of branches, so only its name can be taken.
      await stand.service.database.force(
        `UPDATE reviews.reviews SET name = (SELECT name FROM reviews.reviews WHERE review_id = $1)
          WHERE source_branch = $2 AND review_id <> $1`,
        [id, sourceBranch],
      );
      expect(await bundle.expectRefusal(() => bundle.report(id))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      });
    });
  });
});
