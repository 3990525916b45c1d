import { randomUUID } from 'node:crypto';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { buildsService } from '@plat/builds';
import { canonicalJson } from '@plat/ledger';
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

/** Reports the tip of main as the merge of a review, and reads the receipt. */
async function receiptOf(id: string) {
  const buildId = await bundle.scene.build(id, { kind: 'GATE', commitId: await bundle.git.head() });
  const { status, body } = await bundle.report(id, buildId);
  expect({ status, body: body as unknown }).toMatchObject({ status: 200, body: { status: 'MERGED' } });
  return (await readReceipt(id)).body as Record<string, string>;
}

const readReceipt = (id: string, user: Parameters<TestService['send']>[0] = 'alice') =>
  service.send(user, `GET /v1/reviews/${id}/merge-receipt`);

const readKeys = async () =>
  (await (await fetch(`${service.url}/v1/merge-receipt-keys`)).json()) as JSONWebKeySet;

describe('GET /v1/reviews/{review_id}/merge-receipt', () => {
  describe('200', () => {
    it('names both commits if the reported one is not the one that brought the change', async () => {
      const { commitId: anchorCommitId } = await bundle.mergeReview();
      const { id, sourceBranch } = await promoteReview();
      const landedCommitId = await bundle.git.squash(sourceBranch);
      const commitId = await bundle.git.commit({ later: 'later\n' });
      expect(await receiptOf(id)).toMatchObject({
        anchorCommitId,
        commitId,
        parentCommitId: landedCommitId,
        landedCommitId,
        contentVerdict: 'SAME_CHANGE',
        contentReason: 'other_commit',
      });
    });

    it('names the commit that brought a part before, in canonical JSON', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.squash(sourceBranch);
      await receiptOf(id);
      const findings = [
        { commitId: await bundle.git.head(), kind: 'earlier', path: 'app.txt' },
        { firstLine: 2, in: 'landed', kind: 'by_hand', lastLine: 3, path: 'new.txt' },
      ];
      await service.database.force(
        `UPDATE reviews.verifications
            SET content_verdict = 'BY_HAND', content_reason = 'earlier_commits', content_findings = $2
          WHERE review_id = $1`,
        [id, JSON.stringify(findings)],
      );
      const { jws, undoneWork: _, ...statement } = (await readReceipt(id)).body as Record<string, string>;
      expect(statement).toMatchObject({ contentVerdict: 'BY_HAND', findings });
      const { payload } = await compactVerify(jws!, createLocalJWKSet(await readKeys()));
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual(statement);
      const [row] = await service.database.query<{ statement: string }>(
        'SELECT statement FROM reviews.merge_statements($1) WHERE review_id = $2',
        [statement.tenantId, id],
      );
      expect(row?.statement).toBe(canonicalJson(statement));
    });

    it('a fast-forward is EXACT', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.git('merge', '--quiet', '--ff-only', sourceBranch);
      expect(await receiptOf(id)).toMatchObject({ contentVerdict: 'EXACT' });
    });
  });

  describe('200, DIVERGENT: the corrupt landing is accepted by its conditions, and logged', () => {
    it('is counted by its cause, and the counter names no tenant', async () => {
      const { id, sourceBranch } = await promoteReview();
      await bundle.git.cherryPick(`${sourceBranch}~1`);
      const count = async () => {
        const figures = await (await fetch(`${service.url}/metrics`)).text();
        return Number(
          /^plat_merges_content_total\{verdict="DIVERGENT",cause="source_change_missing"\} (\d+)$/m.exec(
            figures,
          )?.[1] ?? 0,
        );
      };
      const before = await count();
      await receiptOf(id);
      expect(await count()).toBe(before + 1);
    });
  });
});
