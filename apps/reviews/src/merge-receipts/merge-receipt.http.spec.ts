import { randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
} from 'jose';
import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import { MergeScene, startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (changes: Record<string, string> = {}): string =>
  LINES.map((line) => `${changes[line] ?? line}\n`).join('');

let service: TestService;
let bundle: MergeScene;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService);
});
beforeEach(async () => {
  bundle = await MergeScene.create(service, 'http');
  await bundle.git.commit({ 'app.txt': text(), 'lib/util.txt': text() });
});
afterEach(() => bundle.remove());
afterAll(() => service.stop());

/** A review at MERGE. Its branch has two commits, which edit one line twice. */
async function promoteReview(): Promise<{ id: string; sourceBranch: string }> {
  const sourceBranch = `feature/${randomUUID()}`;
  await bundle.git.switch(sourceBranch, 'main');
  await bundle.git.commit({ 'app.txt': text({ two: 'TWO' }), 'new.txt': 'new\n' });
  await bundle.git.commit({ 'app.txt': text({ two: 'TWO!', eight: 'EIGHT' }) });
  await bundle.git.switch('main');
  return { id: await bundle.scene.green({ sourceBranch }), sourceBranch };
}

/** Commits to main what another review might have landed meanwhile. */
const others = () =>
  bundle.git.commit({ 'app.txt': text({ five: 'FIVE' }), 'lib/util.txt': text({ one: 'ONE' }) });

/** Reports the tip of main as the merge of a review, and reads the receipt. */
async function receiptOf(id: string) {
  const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId: await bundle.git.head() });
  const { status, body } = await bundle.report(id, buildId);
  expect({ status, body: body as unknown }).toMatchObject({ status: 200, body: { status: 'MERGED' } });
  return (await readReceipt(id)).body as Record<string, string>;
}

const readReceipt = (id: string, user: Parameters<TestService['send']>[0] = 'alice') =>
  service.send(user, `GET /v1/reviews/${id}/merge-receipt`);

/** A receipt without the undone work, which is found after the merge. */
const signedPart = ({ undoneWork: _, ...signed }: Record<string, unknown>) => signed;

const readKeys = async () =>
  (await (await fetch(`${service.url}/v1/merge-receipt-keys`)).json()) as JSONWebKeySet;

describe('GET /v1/reviews/{review_id}/merge-receipt', () => {
  describe('200', () => {
    it('states the conditions that the merge met and what landed, and is signed', async () => {
      const { id, sourceBranch } = await promoteReview();
      const parentCommitId = await bundle.git.head();
      const commitId = await bundle.git.squash(sourceBranch);
      const { jws, undoneWork: _, ...statement } = await receiptOf(id);
      expect(statement).toEqual({
        statementVersion: 1,
        tenantId: expect.any(String) as unknown,
        reviewId: id,
        name: (await bundle.scene.review(id)).name,
        remoteUrl: bundle.remoteUrl,
        sourceBranch,
        targetBranch: 'main',
        route: 'queue',
        conditions: ['A1', 'A2'],
        targetTip: commitId,
        commitId,
        parentCommitId,
        treeId: await bundle.git.git('rev-parse', `${commitId}^{tree}`),
        sourceTip: await bundle.git.git('rev-parse', sourceBranch),
        buildId: (await bundle.scene.review(id)).lastMergedBuildId,
        contentVerdict: 'EXACT',
        verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
      });
      const { payload, protectedHeader } = await compactVerify(jws!, createLocalJWKSet(await readKeys()));
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual(statement);
      expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'plat-merge-receipt' });
    });

    it('has the same statement and signature whenever it is read', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.squash(sourceBranch);
      const first = await receiptOf(id);
      expect(signedPart((await readReceipt(id, 'carol')).body)).toEqual(signedPart(first));
    });

    it('names the anchor, and A3 among the conditions, when a merge went before', async () => {
      const { commitId: anchorCommitId } = await bundle.mergeReview();
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.squash(sourceBranch);
      expect(await receiptOf(id)).toMatchObject({ anchorCommitId, conditions: ['A1', 'A2', 'A3'] });
    });

    it.each([
      ['a squash beyond other work', 'EXACT', undefined, (branch: string) => bundle.git.squash(branch)],
      ['a merge commit', 'EXACT', undefined, (branch: string) => bundle.git.merge(branch)],
      [
        'a conflict resolved by hand',
        'BY_HAND',
        'conflict_resolved',
        async () => {
          await bundle.git.commit({ 'app.txt': text({ two: 'zwei', five: 'FIVE' }) });
          const resolved = text({ two: 'TWO and zwei', five: 'FIVE', eight: 'EIGHT' });
          return bundle.git.commit({ 'app.txt': resolved, 'new.txt': 'new\n' });
        },
      ],
    ] as const)('%s is %s', async (_, contentVerdict, contentReason, land) => {
      const { id, sourceBranch } = await promoteReview();
      await others();
      await land(sourceBranch);
      const receipt = await receiptOf(id);
      expect([receipt.contentVerdict, receipt.contentReason]).toEqual([contentVerdict, contentReason]);
    });

    it('a verdict that could not be computed with the merge is computed when the receipt is read, once', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.cherryPick(`${sourceBranch}~1`);
      const { jws: _, verifiedAt, ...computed } = await receiptOf(id);
      await service.database.force(
        `UPDATE reviews.verifications
            SET content_verdict = 'UNKNOWN', content_reason = 'not_computed', content_findings = '[]',
                source_tip = NULL WHERE review_id = $1`,
        [id],
      );
      const { body: later } = await readReceipt(id);
      expect(later).toMatchObject({ ...computed, verifiedAt });
      expect((later as Record<string, string>).contentJudgedAt! > verifiedAt!).toBe(true);
      await bundle.git.git('branch', '-D', sourceBranch);
      expect(signedPart((await readReceipt(id)).body)).toEqual(signedPart(later));
      expect(signedPart((await readReceipt(id, 'olga')).body)).toEqual(signedPart(later));
    });

    it('a rebase is SAME_CHANGE', async () => {
      const { id, sourceBranch } = await promoteReview();
      await others();
      await bundle.git.cherryPick(`main..${sourceBranch}`);
      expect(await receiptOf(id)).toMatchObject({
        contentVerdict: 'SAME_CHANGE',
        contentReason: 'rebased',
      });
    });

    it('without its source branch, the merge is accepted with its commits, and its content is UNKNOWN', async () => {
      const { id, sourceBranch } = await promoteReview();
      const commitId = await bundle.git.squash(sourceBranch);
      await bundle.git.git('branch', '-D', sourceBranch);
      const receipt = await receiptOf(id);
      expect(receipt).toMatchObject({ commitId, contentVerdict: 'UNKNOWN', contentReason: 'source_missing' });
      expect(receipt).toHaveProperty('treeId');
      expect(receipt).not.toHaveProperty('sourceTip');
    });

    it('a reconciled merge names the commit that landed and the condition that was met, and no build', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.scene.patch(id, { status: 'READY' });
      await others();
      const commitId = await bundle.git.squash(sourceBranch);
      await bundle.git.commit({ later: 'later\n' });
      expect((await bundle.report(id)).status).toBe(200);
      const { body } = await readReceipt(id);
      expect(body).toMatchObject({
        route: 'reconciled',
        conditions: ['B2'],
        commitId,
        contentVerdict: 'EXACT',
      });
      expect(body).not.toHaveProperty('buildId');
    });

    it('the operations tenant reads it', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.squash(sourceBranch);
      const receipt = await receiptOf(id);
      expect(await readReceipt(id, 'olga')).toMatchObject({ status: 200, body: receipt });
    });
  });

  describe('200, DIVERGENT: the corrupt landing is accepted by its conditions, and logged', () => {
    it.each([
      [
        'a squash on a wrong base, so that merged work is undone',
        'target_change_undone',
        [
          { kind: 'undone', path: 'app.txt', in: 'target', firstLine: 5, lastLine: 5 },
          { kind: 'undone', path: 'lib/util.txt', in: 'target', firstLine: 1, lastLine: 1 },
        ],
        async (branch: string) => {
          const tree = await bundle.git.git('rev-parse', `${branch}^{tree}`);
          await others();
          const commit = await bundle.git.git('commit-tree', tree, '-p', 'main', '-m', 'squash');
          await bundle.git.git('reset', '--quiet', '--hard', commit);
        },
      ],
      [
        'only the first commit of the source',
        'source_change_missing',
        [
          { kind: 'altered', path: 'app.txt', in: 'landed', firstLine: 2, lastLine: 2 },
          { kind: 'missing', path: 'app.txt', in: 'source', firstLine: 8, lastLine: 8 },
        ],
        async (branch: string) => {
          await others();
          await bundle.git.cherryPick(`${branch}~1`);
        },
      ],
      [
        'more than was reviewed',
        'extra_content',
        [{ kind: 'extra', path: 'CHANGES.md', in: 'landed' }],
        async (branch: string) => {
          await bundle.git.git('merge', '--quiet', '--squash', branch);
          await bundle.git.commit({ 'CHANGES.md': 'more\n' });
        },
      ],
    ] as const)('%s', async (_, contentReason, findings, land) => {
      const { id, sourceBranch } = await promoteReview();
      await land(sourceBranch);
      expect(await receiptOf(id)).toMatchObject({ contentVerdict: 'DIVERGENT', contentReason, findings });
      const errors = service.logged().filter(({ reviewId, level }) => reviewId === id && level === 50);
      expect(errors).toEqual([
        expect.objectContaining({
          msg: 'a landed merge diverges from what was reviewed',
          requestId: expect.any(String) as unknown,
          commitId: await bundle.git.head(),
          reason: contentReason,
          findings,
        }),
      ]);
    });

    it('is shown by the review, by each list of reviews and by the status of its queue', async () => {
      await bundle.git.switch('feature/exact', 'main');
      await bundle.git.commit({ 'exact.txt': 'exact\n' });
      await bundle.git.switch('main');
      const exactId = await bundle.scene.green({ sourceBranch: 'feature/exact' });
      await bundle.git.squash('feature/exact');
      await receiptOf(exactId);
      const { id, sourceBranch } = await promoteReview();
      const queue = new URLSearchParams({
        repository: String((await bundle.scene.review(id)).repository),
        targetBranch: bundle.scene.targetBranch,
      }).toString();
      const statusOf = async () =>
        (await service.send('alice', `GET /v1/reviews/merge-queue/status?${queue}`)).body;
      expect(await statusOf()).not.toHaveProperty('divergent');
      expect((await service.send('alice', `GET /v1/reviews/${id}`)).body).not.toHaveProperty(
        'contentVerdict',
      );
      await others();
      await bundle.git.cherryPick(`${sourceBranch}~1`);
      await receiptOf(id);
      for (const [of, contentVerdict] of [
        [exactId, 'EXACT'],
        [id, 'DIVERGENT'],
      ] as const) {
        const { body } = await service.send('alice', `GET /v1/reviews/${of}`);
        expect(body).toMatchObject({ status: 'MERGED', contentVerdict });
      }
      const listed = await service.send('alice', `GET /v1/reviews?${queue}`);
      const verdicts = (listed.body as unknown as Array<Record<string, string>>).map(
        ({ reviewId, contentVerdict }) => [reviewId, contentVerdict],
      );
      expect(verdicts).toEqual([
        [id, 'DIVERGENT'],
        [exactId, 'EXACT'],
      ]);
      expect((await statusOf()).divergent).toEqual([
        expect.objectContaining({ reviewId: id, sourceBranch, landedAt: expect.any(String) as unknown }),
      ]);
    });
  });

  describe('404', () => {
    it("another tenant's receipt is answered as one that exists nowhere", async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.squash(sourceBranch);
      await receiptOf(id);
      const foreign = await readReceipt(id, 'mallory');
      const missing = await readReceipt(randomUUID(), 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual(missing.body);
    });
  });

  describe('409', () => {
    it('there is no receipt while the review is not MERGED', async () => {
      const { id } = await promoteReview();
      expect(await readReceipt(id)).toMatchObject({
        status: 409,
        body: { code: 'REVIEW_NOT_MERGED', details: { reviewId: id, status: 'MERGE' } },
      });
    });
  });
});

describe('GET /v1/merge-receipt-keys', () => {
  it('is public, without a private part, and writes no audit row', async () => {
    const count = async () => (await service.database.query('SELECT 1 FROM audit.audit_events')).length;
    const before = await count();
    const { keys } = await readKeys();
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    expect(await count()).toBe(before);
  });

  it('a receipt names its key by the thumbprint of RFC 7638', async () => {
    const { keys } = await readKeys();
    const { id, sourceBranch } = await promoteReview();
    await bundle.git.squash(sourceBranch);
    const { kid } = decodeProtectedHeader((await receiptOf(id)).jws!);
    expect(kid).toBe(await calculateJwkThumbprint(keys[0]!));
  });
});
