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

describe('PATCH /v1/reviews/{review_id}/status, MERGED on a review at MERGE', () => {
  describe('404, and nothing changes', () => {
    it('a build of another tenant, exactly as one that exists nowhere', async () => {
      const bundle = await stand.repository();
      const { id } = await bundle.openGated();
      const theirs = new ReviewScene(stand.service, 'https://git.example/globex/app', 'main');
      const review = (await theirs.propose({}, 'mallory')).body as { reviewId: string };
      const { buildId } = (await theirs.report(review.reviewId, {}, 'mallory')).body as { buildId: string };
      const foreign = await bundle.report(id, buildId);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await bundle.report(id, randomUUID())).body);
      expect(await bundle.scene.status(id)).toBe('MERGE');
    });
  });

  describe('409 MERGE_NOT_VERIFIED, and nothing changes', () => {
    it.each(['http', 'file'] as const)('the commit was never pushed, over %s', async (served) => {
      const bundle = await stand.repository(served);
      const id = await bundle.scene.green();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId: 'b'.repeat(40) });
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('commit_not_on_target'),
      );
    });

    it.each(['http', 'file'] as const)(
      'the commit is in the repository, on another branch, over %s',
      async (served) => {
        const bundle = await stand.repository(served);
        const id = await bundle.scene.green();
        await bundle.git.switch('elsewhere', 'main');
        const commitId = await bundle.push();
        const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
        expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
          notVerified('commit_not_on_target'),
        );
      },
    );

    it('a tag named like the target branch does not win', async () => {
      const bundle = await stand.repository('http');
      const id = await bundle.scene.green();
      await bundle.git.switch('elsewhere', 'main');
      const commitId = await bundle.push();
      await bundle.git.git('tag', 'main', commitId);
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('commit_not_on_target'),
      );
    });

    it('the remote has no such target branch', async () => {
      const bundle = await stand.repository();
      const scene = new ReviewScene(stand.service, bundle.remoteUrl, 'release');
      const id = await scene.green();
      const buildId = await scene.build(id, { kind: 'GATE', commitId: bundle.base });
      expect(await bundle.expectRefusal(() => bundle.with({ scene }).report(id, buildId))).toEqual(
        notVerified('branch_missing'),
      );
    });

    it('a remote that is never read over the network by this service', async () => {
      const bundle = await stand.repository();
      const remoteUrl = 'git://git.example/acme/app';
      const scene = new ReviewScene(stand.service, remoteUrl, 'main');
      const id = await scene.green();
      const buildId = await scene.build(id, { kind: 'GATE', commitId: bundle.base });
      const behind = bundle.with({ scene, remoteUrl });
      expect(await behind.expectRefusal(() => behind.report(id, buildId))).toEqual(
        notVerified('remote_refused'),
      );
    });

    it("the build is another review's", async () => {
      const bundle = await stand.repository();
      const { id, commitId } = await bundle.openGated();
      const buildId = await bundle.scene.build(await bundle.scene.open(), { kind: 'GATE', commitId });
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('build_not_acceptable'),
      );
    });

    it('the build is not a GATE build', async () => {
      const bundle = await stand.repository();
      const { id, commitId } = await bundle.openGated();
      const buildId = await bundle.scene.build(id, { commitId });
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('build_not_acceptable'),
      );
    });

    it('the build failed', async () => {
      const bundle = await stand.repository();
      const id = await bundle.scene.green();
      const commitId = await bundle.push();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', successful: false, commitId });
      await bundle.scene.build(id);
      expect(await bundle.scene.status(id)).toBe('MERGE');
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('build_not_acceptable'),
      );
    });

    it('the remote is another repository, though the commit is on its target', async () => {
      const [bundle, other] = [await stand.repository(), await stand.repository()];
      const id = await bundle.scene.green();
      const commitId = await other.push();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
      const { remoteUrl } = other;
      expect(await bundle.expectRefusal(() => bundle.with({ remoteUrl }).report(id, buildId))).toEqual(
        notVerified('remote_mismatch'),
      );
    });

    it.each(['', 'acme/app', '../app', 'https://git.example'])(
      'the remote names no repository: %j',
      async (remoteUrl) => {
        const bundle = await stand.repository();
        const { id, buildId } = await bundle.openGated();
        expect(await bundle.expectRefusal(() => bundle.with({ remoteUrl }).report(id, buildId))).toEqual(
          notVerified('remote_mismatch'),
        );
      },
    );

    it('history never passed through the gated tip: a force-push lost the merge before', async () => {
      const bundle = await stand.repository();
      await bundle.mergeReview();
      await bundle.git.switch('main', bundle.base);
      const { id, buildId } = await bundle.openGated();
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('gated_tip_lost'),
      );
    });

    it('the reported commit is on the target, but older than the gated tip', async () => {
      const bundle = await stand.repository();
      await bundle.mergeReview();
      const id = await bundle.scene.green();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId: bundle.base });
      expect(await bundle.expectRefusal(() => bundle.report(id, buildId))).toEqual(
        notVerified('gated_tip_lost'),
      );
    });

    it('a remote that cannot be read is answered the same, whatever the cause, which the log has', async () => {
      const bundle = await stand.repository('http');
      const { id, buildId } = await bundle.openGated();
      await bundle.stopServing();
      const { body } = await bundle.report(id, buildId);
      expect(body).toMatchObject({ code: 'MERGE_NOT_VERIFIED', details: { reason: 'remote_unreadable' } });
      expect(body.message).toMatch(/^Could not be judged/);
      expect(body.message).toContain('public addresses, and those that its operator allows');
      expect(body.message).not.toContain('127.0.0.1');
      expect(stand.service.logged()).toContainEqual(
        expect.objectContaining({
          msg: 'a repository could not be read',
          host: expect.stringContaining('127.0.0.1') as string,
          cause: 'connection refused: nothing listens there',
        }),
      );
      expect(await bundle.scene.status(id)).toBe('MERGE');
    });
  });
});
