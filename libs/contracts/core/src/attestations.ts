import type { ContentVerdict } from './words';

/** The media type of an in-toto statement in JSON, which a DSSE envelope signs together with its payload. */
export const IN_TOTO_TYPE = 'application/vnd.in-toto+json';

/** The type of an in-toto statement. */
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

/** The type of a predicate that is a merge statement, field by field. docs/proof.md explains it. */
export const RECEIPT_PREDICATE = 'urn:plat:merge-receipt:1';

/** SLSA's verification summary attestation. */
export const SUMMARY_PREDICATE = 'https://slsa.dev/verification_summary/v1';

/** The policy of a summary: the merge was verified, and its content is the reviewed one. docs/proof.md explains it. */
const MERGE_POLICY = 'urn:plat:merge-policy:1';

/** The version of SLSA whose source track the level is of. */
const SLSA_VERSION = '1.2';

/** The verdicts of which the policy holds. */
const PASSING: readonly ContentVerdict[] = ['EXACT', 'SAME_CHANGE'];

/** The fields of a merge statement that its attestations use. */
export interface AttestedMerge {
  remoteUrl: string;
  targetBranch: string;
  commitId?: string;
  landedCommitId?: string;
  treeId?: string;
  contentVerdict: ContentVerdict;
  contentJudgedAt?: string;
  verifiedAt: string;
}

/** An in-toto statement about a commit. */
export interface InTotoStatement {
  _type: typeof STATEMENT_TYPE;
  subject: { digest: Record<string, string>; annotations?: { sourceRefs: string[] } }[];
  predicateType: string;
  predicate: object;
}

/**
 * The commit that the attestations of a merge are about: the one that the content verdict is about.
 *
 * @returns undefined if no commit is known that landed
 */
export const attestedCommit = ({ commitId, landedCommitId }: AttestedMerge): string | undefined =>
  landedCommitId ?? commitId;

/**
 * The merge statement as the predicate of an in-toto statement.
 *
 * @returns undefined if no commit is known that landed
 */
export function receiptAttestation(merge: AttestedMerge): InTotoStatement | undefined {
  const digest = digestOf(merge);
  if (digest === undefined) return undefined;
  return { _type: STATEMENT_TYPE, subject: [{ digest }], predicateType: RECEIPT_PREDICATE, predicate: merge };
}

/** Names the commit, and its tree if the merge statement has the tree of this commit. */
function digestOf(merge: AttestedMerge): { gitCommit: string; gitTree?: string } | undefined {
  const gitCommit = attestedCommit(merge);
  if (gitCommit === undefined) return undefined;
  const { commitId, treeId } = merge;
  return treeId === undefined || gitCommit !== commitId ? { gitCommit } : { gitCommit, gitTree: treeId };
}

/**
 * SLSA's summary of a landed commit for the source track.
 *
 * @param keyId RFC 7638 thumbprint of the key that signs it, which names the verifier (RFC 9278)
 * @returns undefined if its claims do not hold: no commit is known, the content is not the reviewed one, or the remote
 *   has no URI
 */
export function summaryAttestation(merge: AttestedMerge, keyId: string): InTotoStatement | undefined {
  const digest = digestOf(merge);
  const resourceUri = repositoryUri(merge.remoteUrl);
  const { contentVerdict, contentJudgedAt, verifiedAt, targetBranch } = merge;
  if (digest === undefined || resourceUri === undefined || !PASSING.includes(contentVerdict)) {
    return undefined;
  }
  const sourceRefs = [`refs/heads/${targetBranch}`];
  return {
    _type: STATEMENT_TYPE,
    subject: [{ digest, annotations: { sourceRefs } }],
    predicateType: SUMMARY_PREDICATE,
    predicate: {
      verifier: { id: `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${keyId}` },
      timeVerified: contentJudgedAt ?? verifiedAt,
      resourceUri,
      policy: { uri: MERGE_POLICY },
      verificationResult: 'PASSED',
      verifiedLevels: ['SLSA_SOURCE_LEVEL_1', `PLAT_CONTENT_${contentVerdict}`],
      slsaVersion: SLSA_VERSION,
    },
  };
}

/** Schemes of addresses from which git fetches. */
const FETCHED_BY = /^(?:https?|ssh|git|file):\/\//i;

/** SPDX download location of a repository. Scheme and host are in lower case. */
function repositoryUri(remoteUrl: string): string | undefined {
  if (FETCHED_BY.test(remoteUrl) && URL.canParse(remoteUrl)) return `git+${new URL(remoteUrl).href}`;
  if (!remoteUrl.startsWith('/')) return undefined;
  return `git+file://${remoteUrl.split('/').map(encodeURIComponent).join('/')}`;
}
