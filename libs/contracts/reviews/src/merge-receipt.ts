import {
  CONTENT_REASONS,
  CONTENT_VERDICTS,
  type ContentFinding,
  type ContentReason,
  type ContentVerdict,
  FINDING_FILES,
  FINDING_KINDS,
  type FindingFile,
  type FindingKind,
  type MergeCondition,
  STATEMENT_VERSION,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';
import { UndoneWork } from './undone-work';

const commitId = rules.commitId;

/** A place where a landing is not what was reviewed. */
export class MergeFinding implements ContentFinding {
  @Field(rules.oneOf(FINDING_KINDS), {
    description:
      "missing: the reviewed change is not there; undone: the target's own work is gone; altered: it is there, but not as " +
      'it was; extra: it was not reviewed; by_hand: a person decided a conflict there, and no one has judged the lines; ' +
      'earlier: another commit brought a part of the review to this file before',
  })
  kind!: FindingKind;

  @Field(rules.filterText(300), {
    description: 'The file, its path cut after 300 characters; what cannot be printed is shown as ?',
    example: 'src/limits.ts',
  })
  path!: string;

  @Field(rules.oneOf(FINDING_FILES), {
    description:
      "In which version of the file the lines are counted: the reviewed source's, the target's before the landing, or the " +
      'landed one',
    optional: true,
  })
  in?: FindingFile;

  @Field(rules.lineNumber, { description: 'First line; absent for a file as a whole', optional: true })
  firstLine?: number;

  @Field(rules.lineNumber, { description: 'Last line, inclusive', optional: true })
  lastLine?: number;

  @Field(commitId, {
    description: 'The commit that brought a part before; only in a finding earlier',
    optional: true,
  })
  commitId?: string;
}

/** Why a review was believed to be merged, and what landed: the payload of a receipt's signature, field by field. */
export class MergeStatement {
  @Field(rules.integer, {
    description: 'Version of the statement: what its fields are and mean',
    example: STATEMENT_VERSION,
  })
  statementVersion!: number;

  @Field(rules.id, { description: 'The tenant that the review belongs to' })
  tenantId!: string;

  @Field(rules.id, { description: 'The review that is MERGED' })
  reviewId!: string;

  @Field(rules.name, { description: 'Name of the review', example: 'Add rate limits' })
  name!: string;

  @Field(rules.remote, {
    description: 'Where the repository was read, without credentials',
    example: 'https://git.example.com/acme/app.git',
  })
  remoteUrl!: string;

  @Field(rules.branch, { description: 'The branch that was reviewed', example: 'feature/42-rate-limits' })
  sourceBranch!: string;

  @Field(rules.branch, { description: 'The branch it landed on', example: 'main' })
  targetBranch!: string;

  @Field(rules.oneOf(['queue', 'reconciled']), { description: 'Merged through the queue, or found landed' })
  route!: 'queue' | 'reconciled';

  @Field(rules.texts, {
    description: 'The conditions of the contract that were judged and met',
    example: ['A1', 'A2', 'A3'],
  })
  conditions!: MergeCondition[];

  @Field(commitId, { description: 'Tip of the target branch as it was read' })
  targetTip!: string;

  @Field(commitId, { description: 'The commit that landed, where it is known', optional: true })
  commitId?: string;

  @Field(commitId, {
    description:
      'The commit that brought the reviewed change, where it is not the reported one; the verdict is about this commit',
    optional: true,
  })
  landedCommitId?: string;

  @Field(commitId, { description: 'First parent of the commit', optional: true })
  parentCommitId?: string;

  @Field(commitId, { description: 'Tree of the commit', optional: true })
  treeId?: string;

  @Field(commitId, {
    description: 'The merge commit before it in the queue, of which it is a descendant',
    optional: true,
  })
  anchorCommitId?: string;

  @Field(commitId, { description: 'Tip of the source branch as it was read', optional: true })
  sourceTip?: string;

  @Field(rules.id, { description: 'The GATE build accepted with MERGED', optional: true })
  buildId?: string;

  @Field(rules.oneOf(CONTENT_VERDICTS), {
    description:
      'Whether the landed content is the reviewed one: EXACT the merge of the source, SAME_CHANGE commit by commit or in ' +
      'another commit, BY_HAND with decisions of a person that are named, DIVERGENT otherwise, UNKNOWN not computed',
  })
  contentVerdict!: ContentVerdict;

  @Field(rules.oneOf(CONTENT_REASONS), { description: 'Why the verdict is not EXACT', optional: true })
  contentReason?: ContentReason;

  @Field(commitId, {
    description:
      'The older commit of the target branch on which the landing was built, if it was built on one',
    optional: true,
  })
  builtOnCommitId?: string;

  @Field(rules.listOfShape(MergeFinding), {
    description: 'Where the landing is not what was reviewed, the worst first, at most 20',
    optional: true,
  })
  findings?: MergeFinding[];

  @Field(rules.integer, {
    description: 'How many more findings there are than are listed',
    example: 3,
    optional: true,
  })
  findingsLeftOut?: number;

  @Field(rules.instant, {
    description: 'When the content was judged, if it could not be judged when the merge was verified',
    optional: true,
  })
  contentJudgedAt?: string;

  @Field(rules.instant, { description: 'When it was verified, RFC 3339 UTC' })
  verifiedAt!: string;
}

/** Proof that a merge statement is an entry of the tenant's sealed log. */
export class MergeInclusion {
  @Field(rules.integer, { description: 'Place of the entry in the log, from 0' })
  index!: number;

  @Field(rules.filterText(1024), {
    description: 'The entry, byte for byte; its commitment `open` is SHA-256 of the salt and the statement',
  })
  leaf!: string;

  @Field(rules.filterText(24), { description: 'Salt of the commitment, base64' })
  salt!: string;

  @Field(rules.texts, { description: 'RFC 6962 audit path, base64, from the entry upwards' })
  hashes!: string[];

  @Field(rules.filterText(2048), {
    description: 'The signed checkpoint of the log that has the entry (C2SP tlog-checkpoint)',
  })
  checkpoint!: string;
}

/** A merge statement and its signature, as GET /v1/reviews/{review_id}/merge-receipt answers it. */
export class MergeReceipt extends MergeStatement {
  @Field(rules.filterText(8192), {
    description:
      'Compact JWS (EdDSA over Ed25519) whose payload is this object without jws, inclusion and undoneWork; kid is the RFC 7638 thumbprint of its key',
    example: 'eyJhbGciOiJFZERTQSJ9.eyJyb3V0ZSI6InF1ZXVlIn0.c2lnbmF0dXJl',
  })
  jws!: string;

  @Field(rules.shape(MergeInclusion), {
    description: 'Proof that the statement is sealed; absent until it is, which takes a minute at most',
    optional: true,
  })
  inclusion?: MergeInclusion;

  @Field(rules.shape(UndoneWork), {
    description:
      'What it takes back of earlier landings, found after the merge and not signed, and what later ones took back',
  })
  undoneWork!: UndoneWork;
}

/** A public key of receipts. RFC 8037. */
export class MergeReceiptKey {
  @Field(rules.oneOf(['OKP']), { description: 'Key type' })
  kty!: 'OKP';

  @Field(rules.oneOf(['Ed25519']), { description: 'Curve' })
  crv!: 'Ed25519';

  @Field(rules.filterText(64), { description: 'The key itself, base64url' })
  x!: string;

  @Field(rules.filterText(64), { description: 'RFC 7638 thumbprint' })
  kid!: string;

  @Field(rules.oneOf(['EdDSA']), { description: 'Signature algorithm' })
  alg!: 'EdDSA';

  @Field(rules.oneOf(['sig']), { description: 'Use of the key: signatures' })
  use!: 'sig';
}

/** The keys of receipts: the signing key first, then the keys of earlier receipts. */
export class MergeReceiptKeySet {
  @Field(rules.listOfShape(MergeReceiptKey), { description: 'Empty when the deployment signs no receipts' })
  keys!: MergeReceiptKey[];
}
