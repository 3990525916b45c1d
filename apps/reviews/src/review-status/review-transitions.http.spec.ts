import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { ERRORS, newId, REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { REVIEW_TRIGGERS, reviewEffect, type ReviewTrigger } from '@plat/lifecycle';
import { releasesService } from '@plat/releases';
import { GitRemote, ReviewScene, startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
let git: GitRemote;
let landed: string;
beforeAll(async () => {
  [service, git] = await Promise.all([
    startTestService(reviewsService, buildsService, releasesService),
    GitRemote.create(),
  ]);
  landed = await git.commit({ 'a.txt': 'a\n' });
});
afterAll(() => Promise.all([service.stop(), git.remove()]));

/** A review at the given status. Its source and target branch are both at the landed commit. */
async function reviewAt(status: ReviewStatus): Promise<{ scene: ReviewScene; id: string }> {
  const scene = new ReviewScene(service, git.fileUrl, `target/${randomUUID()}`);
  const id = await scene.reach(status);
  const { sourceBranch } = await scene.review(id);
  await git.git('branch', scene.targetBranch, landed);
  await git.git('branch', sourceBranch as string, landed);
  return { scene, id };
}

/** Writes a build that fits the trigger and does not move the review, which only the database's owner can do. */
async function buildFor(trigger: ReviewTrigger, reviewId: string): Promise<string> {
  const buildId = newId();
  const [kind, version] = trigger.includes('MERGED') ? ['GATE', null] : ['RECORDED', '1.0.0'];
  await service.database.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT tenant_id, $2, review_id, name, $3, $4, $5, $6 FROM reviews.reviews WHERE review_id = $1`,
    [reviewId, buildId, kind, !trigger.includes('FAILED'), landed, version],
  );
  return buildId;
}

/** The review without the verdict on its content, which is reached after the answer of a move. */
async function readMoved(scene: ReviewScene, id: string) {
  const { contentVerdict: _, ...moved } = await scene.review(id);
  return moved;
}

const PAIRS = REVIEW_STATUSES.flatMap((status) =>
  REVIEW_TRIGGERS.filter((trigger) => trigger.startsWith('PATCH_')).map((trigger) => ({ status, trigger })),
);

describe('PATCH /v1/reviews/{review_id}/status does what the table of transitions says', () => {
  it.each(PAIRS)('$trigger at $status', async ({ status, trigger }) => {
    const { scene, id } = await reviewAt(status);
    const buildId = trigger.endsWith('_WITH_BUILD') ? await buildFor(trigger, id) : undefined;
    const to = trigger.replace('PATCH_', '').replace('_WITH_BUILD', '');
    const before = await readMoved(scene, id);
    const answer = await scene.patch(id, { status: to, buildId, remoteUrl: git.fileUrl });
    const after = await readMoved(scene, id);
    const effect = reviewEffect(status, trigger);
    if (effect.kind === 'refuse') {
      expect(answer).toMatchObject({ status: ERRORS[effect.code].status, body: { code: effect.code } });
    }
    if (effect.kind !== 'move') {
      expect(after).toEqual(before);
      return;
    }
    expect(answer).toMatchObject({ status: 200, body: after });
    const recorded = effect.records && { [effect.records]: buildId };
    expect(after).toEqual({ ...before, status: effect.to, updatedAt: after.updatedAt, ...recorded });
    expect(await scene.line()).toEqual(effect.joinsTail ? [id] : []);
    const { body: releases } = await service.send('alice', `GET /v1/reviews/${id}/releases`);
    expect(releases).toHaveLength(effect.enqueuesRelease ? 1 : 0);
  });
});
