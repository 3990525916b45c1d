import { createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { preAuthEncoding } from '@plat/contracts/core';
import type { AttestationEnvelope, MergeAttestation, MergeReceiptKeySet } from '@plat/contracts/reviews';
import { releasesService } from '@plat/releases';
import { MergeScene, startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

let service: TestService;
let scene: MergeScene;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService);
});
beforeEach(async () => {
  scene = await MergeScene.create(service, 'http');
  await scene.git.commit({ 'app.txt': 'one\ntwo\n' });
});
afterEach(() => scene.remove());
afterAll(() => service.stop());

type User = Parameters<TestService['send']>[0];

const read = (id: string, of: 'attestation' | 'receipt' = 'attestation', user: User = 'alice') =>
  service.send(user, `GET /v1/reviews/${id}/merge-${of}`);

/** A review at MERGE, whose branch adds a file. */
async function promoteReview(): Promise<{ id: string; sourceBranch: string }> {
  const sourceBranch = `feature/${randomUUID()}`;
  await scene.git.switch(sourceBranch, 'main');
  await scene.git.commit({ 'new.txt': 'new\n' });
  await scene.git.switch('main');
  return { id: await scene.scene.green({ sourceBranch }), sourceBranch };
}

/** Reports the tip of main as the merge of a review. */
async function report(id: string): Promise<void> {
  const buildId = await scene.scene.build(id, { kind: 'GATE', commitId: await scene.git.head() });
  expect(await scene.report(id, buildId)).toMatchObject({ status: 200, body: { status: 'MERGED' } });
}

const readKeys = async () =>
  (await (await fetch(`${service.url}/v1/merge-receipt-keys`)).json()) as MergeReceiptKeySet;

/** Opens an envelope by the published keys. @returns the statement, undefined if no key has signed it */
async function open({ payloadType, payload, signatures: [signature] }: AttestationEnvelope) {
  const { keys } = await readKeys();
  const key = keys[0] as unknown as JsonWebKey;
  const bytes = Buffer.from(payload, 'base64');
  const signed = preAuthEncoding(payloadType, bytes);
  const publicKey = createPublicKey({ key, format: 'jwk' });
  const isSigned = verify(null, signed, publicKey, Buffer.from(signature!.sig, 'base64'));
  return isSigned ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : undefined;
}

describe('GET /v1/reviews/{review_id}/merge-attestation', () => {
  describe('200', () => {
    it('has the receipt as an in-toto statement about the landed commit, signed by the key of receipts', async () => {
      const { id, sourceBranch } = await promoteReview();
      const commitId = await scene.git.squash(sourceBranch);
      await report(id);
      const { body } = await read(id);
      const { receipt, summary } = body as unknown as MergeAttestation;
      const { body: whole } = await read(id, 'receipt');
      const {
        jws: _jws,
        inclusion: _proof,
        undoneWork: _advice,
        ...predicate
      } = whole as Record<string, unknown>;
      const gitTree = await scene.git.git('rev-parse', `${commitId}^{tree}`);
      expect(await open(receipt)).toEqual({
        _type: 'https://in-toto.io/Statement/v1',
        subject: [{ digest: { gitCommit: commitId, gitTree } }],
        predicateType: 'urn:plat:merge-receipt:1',
        predicate,
      });
      const { kid } = (await readKeys()).keys[0]!;
      expect(await open(summary!)).toMatchObject({
        subject: [{ digest: { gitCommit: commitId }, annotations: { sourceRefs: ['refs/heads/main'] } }],
        predicateType: 'https://slsa.dev/verification_summary/v1',
        predicate: {
          verifier: { id: `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${kid}` },
          resourceUri: `git+${scene.remoteUrl}`,
          verificationResult: 'PASSED',
          verifiedLevels: ['SLSA_SOURCE_LEVEL_1', 'PLAT_CONTENT_EXACT'],
        },
      });
    });

    it('is the same bytes whenever it is read, also by the operations tenant', async () => {
      const { id, sourceBranch } = await promoteReview();
      await scene.git.squash(sourceBranch);
      await report(id);
      const { body } = await read(id);
      for (const user of ['carol', 'olga'] as const) {
        expect(await read(id, 'attestation', user)).toMatchObject({ status: 200, body });
      }
    });

    it('has no summary of a landing that is not what was reviewed', async () => {
      const { id, sourceBranch } = await promoteReview();
      await scene.git.git('merge', '--quiet', '--squash', sourceBranch);
      await scene.git.commit({ 'CHANGES.md': 'more\n' });
      await report(id);
      const { body } = await read(id);
      const { receipt, ...rest } = body as unknown as MergeAttestation;
      expect(await open(receipt)).toMatchObject({ predicate: { contentVerdict: 'DIVERGENT' } });
      expect(rest).toEqual({});
    });
  });

  describe('404', () => {
    it("another tenant's attestation is answered as one that exists nowhere", async () => {
      const { id, sourceBranch } = await promoteReview();
      await scene.git.squash(sourceBranch);
      await report(id);
      const foreign = await read(id, 'attestation', 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await read(randomUUID(), 'attestation', 'mallory')).body);
    });
  });

  describe('409', () => {
    it('there is none while the review is not MERGED', async () => {
      const { id } = await promoteReview();
      expect(await read(id)).toMatchObject({
        status: 409,
        body: { code: 'REVIEW_NOT_MERGED', details: { reviewId: id, status: 'MERGE' } },
      });
    });

    it('there is none of a review that was found landed in no commit that is known', async () => {
      const { id, sourceBranch } = await promoteReview();
      await scene.scene.patch(id, { status: 'READY' });
      await scene.git.squash(sourceBranch);
      expect((await scene.report(id)).status).toBe(200);
      await service.database.force(
        `UPDATE reviews.verifications
            SET commit_id = NULL, landed_commit_id = NULL, parent_commit_id = NULL, tree_id = NULL,
                content_verdict = 'UNKNOWN', content_reason = 'landing_not_found'
          WHERE review_id = $1`,
        [id],
      );
      expect((await read(id, 'receipt')).status).toBe(200);
      expect(await read(id)).toMatchObject({
        status: 409,
        body: { code: 'LANDED_COMMIT_UNKNOWN', details: { reviewId: id } },
      });
    });
  });
});
