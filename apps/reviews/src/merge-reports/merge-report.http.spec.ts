import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import { MergeStand, ReviewScene } from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

describe('PATCH /v1/reviews/{review_id}/status, MERGED on a review at MERGE', () => {
  describe('200', () => {
    it.each(['http', 'file'] as const)(
      'the commit of the GATE build is reachable from the target tip, read over %s',
      async (served) => {
        const bundle = await stand.repository(served);
        const { id, commitId, buildId } = await bundle.openGated();
        const answer = await bundle.report(id, buildId);
        expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED', lastMergedBuildId: buildId } });
        // The verdict on the content is reached after the answer.
        const { contentVerdict: _, ...merged } = await bundle.scene.review(id);
        expect(answer.body).toEqual(merged);
        expect(await bundle.verificationOf(id)).toEqual([
          {
            route: 'queue',
            repository: answer.body.repository as unknown,
            target_branch: 'main',
            target_tip: commitId,
            commit_id: commitId,
            anchor_commit_id: null,
            source_tip: null,
            build_id: buildId,
            release_error: null,
          },
        ]);
      },
    );

    it('a release is enqueued for the merge commit, exactly once', async () => {
      const bundle = await stand.repository();
      const { id, commitId, buildId } = await bundle.openGated();
      await Promise.all([bundle.report(id, buildId), bundle.report(id, buildId), bundle.report(id, buildId)]);
      expect(await bundle.releasesOf(id)).toMatchObject([
        { commitId, targetBranch: 'main', status: 'queued', attempt: 1 },
      ]);
    });

    it('unrelated commits landing directly on the branch in between are tolerated', async () => {
      const bundle = await stand.repository();
      const first = await bundle.mergeReview();
      await bundle.push();
      const second = await bundle.openGated();
      const tip = await bundle.push();
      expect((await bundle.report(second.id, second.buildId)).status).toBe(200);
      expect(await bundle.verificationOf(second.id)).toMatchObject([
        { target_tip: tip, anchor_commit_id: first.commitId },
      ]);
    });

    it('the anchor is the last merge onto the same target: one onto another branch counts for nothing', async () => {
      const bundle = await stand.repository();
      const elsewhere = await bundle.onOwnTarget();
      await elsewhere.mergeReview();
      await bundle.git.switch('main', 'main');
      const { id, buildId } = await bundle.openGated();
      expect((await bundle.report(id, buildId)).status).toBe(200);
      expect(await bundle.verificationOf(id)).toMatchObject([{ anchor_commit_id: null }]);
    });

    it('a commit that equals the gated tip is its own ancestor', async () => {
      const bundle = await stand.repository();
      const { commitId } = await bundle.mergeReview();
      const id = await bundle.scene.green();
      const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId });
      expect((await bundle.report(id, buildId)).status).toBe(200);
    });

    it('the repository is the same one in any of its forms', async () => {
      const bundle = await stand.repository('http');
      const { id, buildId } = await bundle.openGated();
      const remoteUrl = bundle.remoteUrl.replace('http://', 'HTTP://someone:secret@');
      const answer = await bundle.scene.patch(id, { status: 'MERGED', buildId, remoteUrl });
      expect(answer.status).toBe(200);
      const [row] = await stand.service.database.query<{ remote_url: string }>(
        'SELECT remote_url FROM reviews.verifications WHERE review_id = $1',
        [id],
      );
      expect(row!.remote_url).not.toContain('secret');
    });

    it('frees the slot; the next is promoted by advance only', async () => {
      const bundle = await stand.repository();
      const { id, buildId } = await bundle.openGated();
      const next = await bundle.scene.green();
      await bundle.report(id, buildId);
      expect(await bundle.scene.status(next)).toBe('READY');
      expect((await bundle.scene.advance()).body.reviewId).toBe(next);
    });

    it('the review is listed by the commit that was accepted, in its own tenant alone', async () => {
      const bundle = await stand.repository('http');
      const { id, commitId, buildId } = await bundle.openGated();
      const listed = async (user: 'alice' | 'mallory', commit: string) => {
        const { body } = await stand.service.send(user, `GET /v1/reviews?mergedCommitId=${commit}`);
        return (body as unknown as { reviewId: string }[]).map(({ reviewId }) => reviewId);
      };
      expect(await listed('alice', commitId)).toEqual([]);
      await bundle.report(id, buildId);
      expect(await listed('alice', commitId)).toEqual([id]);
      expect(await listed('alice', '0'.repeat(40))).toEqual([]);
      expect(await listed('mallory', commitId)).toEqual([]);
    });

    it('a MERGED review keeps its name and gives up its pair', async () => {
      const bundle = await stand.repository();
      const { id, buildId } = await bundle.openGated();
      await bundle.report(id, buildId);
      const { name, sourceBranch } = await bundle.scene.review(id);
      expect((await bundle.scene.propose({ name })).status).toBe(409);
      expect((await bundle.scene.propose({ sourceBranch })).status).toBe(201);
    });

    it('if the enqueue of the release fails, the review stays MERGED, and POST /v1/releases recovers', async () => {
      const bundle = await stand.repository();
      const { id, commitId, buildId } = await bundle.openGated();
      const constraint = `ALTER TABLE releases.releases`;
      await stand.service.database.query(
        `${constraint} ADD CONSTRAINT fault CHECK (commit_id <> '${commitId}')`,
      );
      const answer = await bundle.report(id, buildId);
      await stand.service.database.query(`${constraint} DROP CONSTRAINT fault`);
      expect(answer).toMatchObject({ status: 200, body: { status: 'MERGED' } });
      expect(await bundle.releasesOf(id)).toEqual([]);
      expect(await bundle.verificationOf(id)).toMatchObject([
        { release_error: expect.stringContaining('fault') as unknown },
      ]);
      const body = { reviewId: id, targetBranch: 'main', commitId };
      expect((await stand.service.send('alice', 'POST /v1/releases', body)).status).toBe(201);
    });
  });

  describe('200, adoption', () => {
    it('a review with no repository adopts the one that the remoteUrl of the accepted report names', async () => {
      const bundle = await (await stand.repository()).onOwnTarget();
      const scene = new ReviewScene(stand.service, null, bundle.scene.targetBranch);
      const id = await scene.green();
      const commitId = await bundle.push();
      const buildId = await scene.build(id, { kind: 'GATE', commitId });
      const answer = await bundle.with({ scene }).report(id, buildId);
      const named = await bundle.scene.review(await bundle.scene.open());
      expect(answer.body).toMatchObject({ status: 'MERGED', repository: named.repository });
    });

    it('it is verified against the anchor of that repository', async () => {
      const bundle = await (await stand.repository()).onOwnTarget();
      const { commitId: anchor } = await bundle.mergeReview();
      const scene = new ReviewScene(stand.service, null, bundle.scene.targetBranch);
      const id = await scene.green();
      const buildId = await scene.build(id, { kind: 'GATE', commitId: await bundle.push() });
      expect((await bundle.with({ scene }).report(id, buildId)).status).toBe(200);
      expect(await bundle.verificationOf(id)).toMatchObject([{ anchor_commit_id: anchor }]);
    });
  });

  describe('409 CONFLICT', () => {
    it('adopting a repository where the name is taken changes nothing', async () => {
      const bundle = await (await stand.repository()).onOwnTarget();
      const scene = new ReviewScene(stand.service, null, bundle.scene.targetBranch);
      const name = randomUUID();
      await bundle.scene.open({ name });
      const id = await scene.green({ name });
      const buildId = await scene.build(id, { kind: 'GATE', commitId: await bundle.push() });
      expect(await bundle.expectRefusal(() => bundle.with({ scene }).report(id, buildId))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      });
    });
  });
});
