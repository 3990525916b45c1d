import { generateKeyPairSync, sign } from 'node:crypto';
import { ApiClient, type MergeAttestation } from '@plat/api-client';
import {
  type AttestedMerge,
  IN_TOTO_TYPE,
  type InTotoStatement,
  preAuthEncoding,
  receiptAttestation,
  summaryAttestation,
} from '@plat/contracts/core';
import { PlatformDouble } from '../black-box/platform-double';
import { type ServedReceipt, serveReceipt } from '../black-box/served-receipt';
import type { Envelope } from './check-envelope';
import { type Attestation, readAttestation } from './read-attestation';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const [COMMIT, TREE, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

let platform: PlatformDouble;
beforeAll(async () => (platform = await PlatformDouble.start()));
afterAll(() => platform.close());

const RECEIPT = {
  ...{ statementVersion: 1, tenantId: ID, reviewId: ID, name: 'Add limits', conditions: ['A1'] },
  ...{ sourceBranch: 'feature/1', targetBranch: 'main', remoteUrl: 'https://git.example.com/acme/app' },
  ...{ targetTip: COMMIT, commitId: COMMIT, treeId: TREE, contentVerdict: 'EXACT', route: 'queue' },
  verifiedAt: '2026-11-28T10:00:00.000Z',
};

interface Given {
  facts?: object;
  isSummary?: boolean;
  name?: string;
  /** The answer of the platform; default: the one that the receipt gives. */
  answer?: (served: ServedReceipt) => object;
}

const sound = ({ statement, keyId, seal }: ServedReceipt): MergeAttestation => {
  const summary = summaryAttestation(statement, keyId);
  return { receipt: seal(receiptAttestation(statement)!), summary: summary && seal(summary) };
};

async function read({ facts = {}, isSummary = false, name = ID, answer = sound }: Given = {}) {
  const served = await serveReceipt(platform, { ...RECEIPT, ...facts });
  platform.answer(`GET /v1/reviews/${ID}/merge-attestation`, { body: answer(served) });
  const api = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
  return readAttestation(api, { reviewId: ID, name, isSummary });
}

const payloadOf = ({ envelope }: Attestation): unknown =>
  JSON.parse(Buffer.from(envelope.payload, 'base64').toString());

/** The answer with another receipt in it. */
const changed =
  (change: (receipt: Envelope, served: ServedReceipt) => Envelope) => (served: ServedReceipt) => {
    const { receipt, ...rest } = sound(served);
    return { ...rest, receipt: change(receipt, served) };
  };

/** The answer with another statement in it, which the key of the receipt has signed. */
const restated = (change: (statement: InTotoStatement, merge: AttestedMerge) => object) =>
  changed((_receipt, { seal, statement }) => seal(change(receiptAttestation(statement)!, statement)));

describe('an attestation', () => {
  it('is read with what it is about', async () => {
    const attestation = await read();
    expect(attestation).toMatchObject({
      reviewId: ID,
      repository: 'https://git.example.com/acme/app',
      targetBranch: 'main',
      commitId: COMMIT,
      predicateType: 'urn:plat:merge-receipt:1',
      contentVerdict: 'EXACT',
      keyId: 'k',
    });
    expect(payloadOf(attestation)).toMatchObject({ predicate: RECEIPT });
  });

  it("is SLSA's summary if that is asked for", async () => {
    const attestation = await read({ isSummary: true, facts: { contentVerdict: 'SAME_CHANGE' } });
    expect(attestation.predicateType).toBe('https://slsa.dev/verification_summary/v1');
    expect(payloadOf(attestation)).toMatchObject({
      predicate: { verifiedLevels: ['SLSA_SOURCE_LEVEL_1', 'PLAT_CONTENT_SAME_CHANGE'] },
    });
  });

  it.each(['BY_HAND', 'DIVERGENT', 'UNKNOWN'])('has no summary if the landing is %s', async (verdict) => {
    const facts = { contentVerdict: verdict, contentReason: 'why' };
    await expect(read({ isSummary: true, facts })).rejects.toMatchObject({
      code: 'NO_SUMMARY',
      message: expect.stringContaining(`its content is ${verdict} (why)`) as unknown,
    });
    expect((await read({ facts })).contentVerdict).toBe(verdict);
  });

  it('is refused for a receipt of another review, or of an unknown version', async () => {
    await expect(read({ name: 'feature/2' })).rejects.toMatchObject({ code: 'RECEIPT_OF_ANOTHER_REVIEW' });
    await expect(read({ facts: { statementVersion: 2 } })).rejects.toMatchObject({
      code: 'RECEIPT_NOT_READABLE',
    });
  });
});

describe('an attestation is refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signedByAnother = (receipt: Envelope): Envelope => {
    const bytes = preAuthEncoding(IN_TOTO_TYPE, Buffer.from(receipt.payload, 'base64'));
    return {
      ...receipt,
      signatures: [{ sig: sign(null, bytes, privateKey).toString('base64') }],
    };
  };

  it.each<[string, NonNullable<Given['answer']>, RegExp]>([
    [
      'with an edited payload',
      changed((receipt) => ({
        ...receipt,
        payload: Buffer.from(
          Buffer.from(receipt.payload, 'base64').toString().replace('EXACT', 'exact'),
        ).toString('base64'),
      })),
      /no known key has signed/,
    ],
    ['signed by another key', changed(signedByAnother), /no known key has signed/],
    ['without a signature', changed((receipt) => ({ ...receipt, signatures: [] })), /0 signatures/],
    [
      'with two signatures',
      changed((receipt) => ({ ...receipt, signatures: [...receipt.signatures, ...receipt.signatures] })),
      /2 signatures/,
    ],
    [
      'about another commit',
      restated((statement) => ({ ...statement, subject: [{ digest: { gitCommit: OTHER } }] })),
      /something else than the receipt/,
    ],
    [
      'about one more commit',
      restated((statement) => ({
        ...statement,
        subject: [...statement.subject, { digest: { gitCommit: OTHER } }],
      })),
      /something else than the receipt/,
    ],
    [
      'with another predicate than the receipt',
      restated((statement, merge) => ({ ...statement, predicate: { ...merge, targetBranch: 'release' } })),
      /something else than the receipt/,
    ],
  ])('%s', async (_what, answer, message) => {
    await expect(read({ answer })).rejects.toMatchObject({
      code: 'ATTESTATION_NOT_SOUND',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('if it is a summary that claims more, or is withheld, or is that of a landing which has none', async () => {
    const claimsMore = (served: ServedReceipt) => {
      const summary = summaryAttestation(served.statement, served.keyId)!;
      const predicate = { ...summary.predicate, verifiedLevels: ['SLSA_SOURCE_LEVEL_4'] };
      return { ...sound(served), summary: served.seal({ ...summary, predicate }) };
    };
    const withholds = (served: ServedReceipt) => ({ receipt: sound(served).receipt });
    for (const answer of [claimsMore, withholds]) {
      await expect(read({ isSummary: true, answer })).rejects.toMatchObject({
        code: 'ATTESTATION_NOT_SOUND',
      });
    }
    const divergent = (served: ServedReceipt) => ({
      ...sound(served),
      summary: served.seal(
        summaryAttestation({ ...served.statement, contentVerdict: 'EXACT' }, served.keyId)!,
      ),
    });
    const facts = { contentVerdict: 'DIVERGENT' };
    await expect(read({ isSummary: true, facts, answer: divergent })).rejects.toMatchObject({
      code: 'NO_SUMMARY',
    });
  });
});
