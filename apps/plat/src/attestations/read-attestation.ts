import {
  type ApiClient,
  getMergeAttestation,
  getMergeReceipt,
  listMergeReceiptKeys,
  type MergeReceipt,
} from '@plat/api-client';
import {
  attestedCommit,
  type AttestedMerge,
  type ContentVerdict,
  receiptAttestation,
  summaryAttestation,
} from '@plat/contracts/core';
import { isKnownVersion } from '../receipts/receipt-checks';
import { checkSignature, readPinnedKeys } from '../receipts/receipt-signature';
import { compareReview, repositoryOf } from '../receipts/receipt-subject';
import { checkWords } from '../receipts/receipt-words';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkEnvelope, type Envelope, notSound } from './check-envelope';

export interface AttestationToRead {
  reviewId: string;
  /** The text that names the review. */
  name: string;
  /** Whether SLSA's summary is read, and not the receipt. */
  isSummary: boolean;
  /** File of the trusted keys; undefined: the keys of the platform. */
  keysFile?: string | undefined;
}

/** An attestation that a key of receipts has signed, and that says what the signed receipt says. */
export interface Attestation {
  reviewId: string;
  /** Canonical identity of the repository. */
  repository: string;
  targetBranch: string;
  /** The commit that it is about. */
  commitId: string;
  predicateType: string;
  contentVerdict: ContentVerdict;
  /** RFC 7638 thumbprint of the key. */
  keyId: string;
  envelope: Envelope;
}

/**
 * Reads an attestation of a merge, and checks it against the signed receipt.
 *
 * @throws Failure ATTESTATION_NOT_SOUND, NO_SUMMARY, KEYS_NOT_READABLE, RECEIPT_NOT_READABLE, RECEIPT_NOT_SIGNED,
 *   RECEIPT_OF_ANOTHER_REVIEW
 */
export async function readAttestation(api: ApiClient, asked: AttestationToRead): Promise<Attestation> {
  const { reviewId, isSummary, keysFile } = asked;
  const pinned = keysFile === undefined ? undefined : readPinnedKeys(keysFile);
  const receipt = await getMergeReceipt(api, { reviewId });
  checkWords(receipt);
  const keys = pinned ?? (await listMergeReceiptKeys(api));
  await checkSignature(receipt, keys);
  compareReview(receipt, { ...asked, repository: { unnamed: '' } });
  requireKnownVersion(receipt);
  const { receipt: receiptEnvelope, summary } = await getMergeAttestation(api, { reviewId });
  const merge = signedStatement(receipt);
  const expected = (keyId: string) =>
    isSummary ? summaryAttestation(merge, keyId) : receiptAttestation(merge);
  if (isSummary && expected('') === undefined) throw noSummary(receipt);
  const envelope = isSummary ? summary : receiptEnvelope;
  if (envelope === undefined) throw notSound('the platform withholds it, although the receipt gives it');
  const keyId = checkEnvelope(envelope, keys, expected);
  const { targetBranch, contentVerdict } = receipt;
  const { predicateType } = expected(keyId)!;
  const commitId = attestedCommit(merge)!;
  const about = { reviewId, repository: repositoryOf(receipt), targetBranch, commitId };
  return { ...about, predicateType, contentVerdict, keyId, envelope };
}

/** The payload of a receipt's signature, which is checked before. */
const signedStatement = ({ jws }: MergeReceipt): AttestedMerge =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as AttestedMerge;

/** @throws Failure RECEIPT_NOT_READABLE for a version of the statement that this client does not know */
function requireKnownVersion(receipt: MergeReceipt): void {
  if (isKnownVersion(receipt)) return;
  throw new Failure(
    'RECEIPT_NOT_READABLE',
    `the statement is of version ${receipt.statementVersion}, which this client does not know.`,
    { next: 'update plat, then repeat the command' },
  );
}

/** Says which claim of the summary does not hold. */
function noSummary(receipt: MergeReceipt): Failure {
  const { reviewId, contentVerdict, contentReason, remoteUrl } = receipt;
  const isPassing = ['EXACT', 'SAME_CHANGE'].includes(contentVerdict);
  const because = contentReason === undefined ? '' : ` (${contentReason})`;
  const why = isPassing
    ? `its remote ${remoteUrl} has no URI, or no commit is known that landed`
    : `its content is ${contentVerdict}${because}, and a summary claims that the reviewed content landed`;
  return new Failure('NO_SUMMARY', `There is no summary of this landing: ${why}.`, {
    details: { reviewId, contentVerdict, contentReason },
    next: nextStep('plat review verify', [reviewId], '; its receipt can be attested without --vsa'),
  });
}
