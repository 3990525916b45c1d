import { auditService } from '@plat/audit';
import { buildsService } from '@plat/builds';
import {
  canonicalJson,
  isCommitted,
  leafHash,
  openCheckpoint,
  parseLeaf,
  parseVerifierKey,
  verifyInclusion,
} from '@plat/ledger';
import { releasesService } from '@plat/releases';
import { MergeStand, type TestAnswer } from '@plat/testing';
import { reviewsService } from '../service';

jest.setTimeout(60_000);

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService, auditService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

/** Lands a review through the queue, and reads its receipt until the landing is sealed and signed. */
async function waitForSealedReceipt(name: string): Promise<{ reviewId: string; body: TestAnswer['body'] }> {
  const repository = await stand.repository('file');
  const { scene } = repository;
  const reviewId = await scene.green({ name });
  const buildId = await scene.build(reviewId, { kind: 'GATE', commitId: await repository.push() });
  expect((await repository.report(reviewId, buildId)).status).toBe(200);
  for (;;) {
    const { body } = await stand.service.send('alice', `GET /v1/reviews/${reviewId}/merge-receipt`);
    if (body.inclusion !== undefined) return { reviewId, body };
  }
}

describe('GET /v1/reviews/{review_id}/merge-receipt', () => {
  it("proves that its statement is an entry of the tenant's log, in a checkpoint that the log's key has signed", async () => {
    const { reviewId, body } = await waitForSealedReceipt('Name with "quotes", \\ and é\u2028 in it');
    const { jws: _signature, undoneWork: _advice, inclusion, ...statement } = body;
    const leaf = Buffer.from(inclusion.leaf as string);
    const { kind, id, open } = parseLeaf(leaf);
    expect({ kind, id }).toEqual({ kind: 'landing', id: reviewId });
    const salt = Buffer.from(inclusion.salt as string, 'base64');
    expect(isCommitted(open, { salt, fields: canonicalJson(statement) })).toBe(true);
    const { body: keys } = await stand.service.send('alice', 'GET /v1/audit-log/keys');
    const known = keys.keys.map(({ verifierKey }: { verifierKey: string }) => parseVerifierKey(verifierKey));
    const { checkpoint } = openCheckpoint(inclusion.checkpoint as string, known);
    expect(checkpoint.origin).toBe(`plat.example/log/${statement.tenantId}`);
    const proof = inclusion.hashes.map((hash: string) => Buffer.from(hash, 'base64'));
    const proven = { index: inclusion.index as number, leafHash: leafHash(leaf), head: checkpoint };
    expect(verifyInclusion(proven, proof)).toBe(true);
  });
});
