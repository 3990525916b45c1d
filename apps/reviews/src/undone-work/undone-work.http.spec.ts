import { buildsService } from '@plat/builds';
import type { UndoneWork } from '@plat/contracts/reviews';
import { releasesService } from '@plat/releases';
import { MergeScene, startTestService, type TestService, twelveLines as text } from '@plat/testing';
import { reviewsService } from '../service';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const FIXED = text({ three: 'three\ncheck the sender\ncheck the amount\ncheck the receiver' });

let service: TestService;
let merges: MergeScene;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService);
});
beforeEach(async () => {
  merges = await MergeScene.create(service, 'http');
  await merges.git.commit({ 'app.txt': text() });
});
afterEach(() => merges.remove());
afterAll(() => service.stop());

/** Lands a branch that is checked out, by a squash onto main. */
async function land(sourceBranch: string, details: { name?: string } = {}): Promise<string> {
  const id = await merges.scene.green({ sourceBranch, ...details });
  await merges.git.switch('main');
  const commitId = await merges.git.squash(sourceBranch);
  const buildId = await merges.scene.build(id, { kind: 'GATE', commitId });
  const { status, body } = await merges.report(id, buildId);
  expect({ status, body: body as unknown }).toMatchObject({ status: 200, body: { status: 'MERGED' } });
  return id;
}

/** A fix that lands, and a branch from before it that merges main and keeps its own side. */
async function loseFix(details: { name?: string } = {}): Promise<{ fix: string; later: string }> {
  await merges.git.switch('later', 'main');
  await merges.git.commit({ 'other.txt': 'mine\n' });
  await merges.git.switch('fix', 'main');
  await merges.git.commit({ 'app.txt': FIXED });
  const fix = await land('fix', { name: 'Check the transfer' });
  await merges.git.switch('later');
  await merges.git.git('merge', '--quiet', '--no-edit', '-s', 'ours', 'main');
  return { fix, later: await land('later', details) };
}

const readReceipt = async (id: string) => {
  const { body } = await service.send('alice', `GET /v1/reviews/${id}/merge-receipt`);
  return body as { undoneWork: UndoneWork };
};

/** The undone work of a merge once it is examined. */
async function readExamined(id: string): Promise<UndoneWork> {
  for (;;) {
    const { undoneWork } = await readReceipt(id);
    if (undoneWork.examinedAt !== undefined) return undoneWork;
  }
}

describe('undone work of a merge', () => {
  it('is in its receipt, and in that of the review whose work it takes back', async () => {
    const { fix, later } = await loseFix();
    const place = {
      path: 'app.txt',
      in: 'target',
      firstLine: 4,
      lastLine: 6,
      kind: 'dropped_by_merge',
      certainty: 'sure',
      sourceCommitId: await merges.git.git('rev-parse', 'later'),
    };
    expect(await readExamined(later)).toEqual({
      examinedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      findings: [
        {
          ...place,
          reviewId: fix,
          reviewName: 'Check the transfer',
          commitId: await merges.git.git('rev-parse', 'main~1'),
        },
      ],
      reverts: [],
      window: { landings: 3, oldestCommitId: merges.base, isComplete: true },
      undoneBy: [],
      revertedBy: [],
    });
    const { name } = await merges.scene.review(later);
    expect((await readReceipt(fix)).undoneWork).toMatchObject({
      findings: [],
      undoneBy: [
        { ...place, reviewId: later, reviewName: name, commitId: await merges.git.git('rev-parse', 'main') },
      ],
      revertedBy: [],
    });
    const metrics = await fetch(`${service.url}/metrics`);
    expect(await metrics.text()).toContain('plat_merges_examined_total{undone="sure"} 1');
  });

  it('is a revert if the review says it', async () => {
    const { fix, later } = await loseFix({ name: 'Revert "Check the transfer"' });
    expect(await readExamined(later)).toMatchObject({ findings: [], reverts: [{ reviewId: fix }] });
    expect((await readReceipt(fix)).undoneWork).toMatchObject({
      undoneBy: [],
      revertedBy: [{ reviewId: later }],
    });
  });

  it('is not signed, and the signed statement does not change', async () => {
    const { later } = await loseFix();
    const { undoneWork: _, ...before } = await readReceipt(later);
    await readExamined(later);
    expect(await readReceipt(later)).toMatchObject(before);
  });

  it('is found when the receipt is read, if no process has found it after the merge', async () => {
    const { later } = await loseFix();
    await readExamined(later);
    await service.database.force('DELETE FROM reviews.undone_findings WHERE review_id = $1', [later]);
    await service.database.force(
      `UPDATE reviews.undone_work
          SET examined_at = NULL, window_landings = NULL, window_oldest_commit_id = NULL, window_is_complete = NULL
        WHERE review_id = $1`,
      [later],
    );
    expect(await readExamined(later)).toMatchObject({ findings: [{ certainty: 'sure' }] });
  });

  it('is unknown, with the reason, if the repository stays unreadable', async () => {
    const { later } = await loseFix();
    await readExamined(later);
    await service.database.force('DELETE FROM reviews.undone_findings WHERE review_id = $1', [later]);
    await service.database.force(
      `UPDATE reviews.undone_work
          SET created_at = created_at - interval '2 days', examined_at = NULL, window_landings = NULL,
              window_oldest_commit_id = NULL, window_is_complete = NULL
        WHERE review_id = $1`,
      [later],
    );
    await merges.stopServing();
    expect(await readExamined(later)).toEqual({
      examinedAt: expect.any(String) as unknown,
      unknown: 'remote_unreadable',
      findings: [],
      reverts: [],
      undoneBy: [],
      revertedBy: [],
    });
  });
});
