import type { ContentFinding, ContentReason, ContentVerdict, MergeCondition } from '@plat/contracts/core';
import type { LandedContent } from '@plat/verifier';

/** The part of a merge's proof that comes from the content verdict. */
export interface ContentProof {
  commitId?: string;
  landedCommitId?: string;
  parentCommitId?: string | undefined;
  treeId?: string;
  sourceTip?: string;
  contentVerdict: ContentVerdict;
  /** Absent with EXACT. */
  contentReason?: ContentReason;
  builtOnCommitId?: string;
  findings?: ContentFinding[];
  findingsLeftOut?: number;
}

/** The findings of git, as stored with the review. Commit ids are full and in lower case. */
export interface MergeProof extends ContentProof {
  remoteUrl: string;
  targetTip: string;
  conditions: MergeCondition[];
  anchorCommitId?: string;
}

/** Turns a content verdict into its part of the proof. */
export function contentProof({
  sourceTip,
  commitId,
  landedCommitId,
  parentId,
  treeId,
  ...judgement
}: LandedContent): ContentProof {
  return {
    sourceTip,
    commitId,
    landedCommitId,
    parentCommitId: parentId,
    treeId,
    ...whereabouts(judgement),
  };
}

function whereabouts(judgement: LandedContent): Pick<ContentProof, 'contentVerdict'> & Partial<ContentProof> {
  if (judgement.verdict === 'EXACT') return { contentVerdict: 'EXACT' };
  const { verdict, reason, builtOnCommitId, findings, findingsLeftOut } = judgement;
  return {
    contentVerdict: verdict,
    contentReason: reason,
    builtOnCommitId,
    findings,
    findingsLeftOut,
  };
}
