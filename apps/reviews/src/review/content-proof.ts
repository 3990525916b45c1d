import type { LandedContent } from '@plat/verifier';
import type { ContentProof } from './review-status.queries';

/** What the content's verdict adds to the proof of a merge. */
export function contentProof({
  sourceTip,
  commitId,
  landedCommitId,
  parentId,
  treeId,
  ...judgement
}: LandedContent): ContentProof {
  return {
    statementVersion: 2,
    ...(sourceTip !== undefined && { sourceTip }),
    ...(commitId !== undefined && { commitId }),
    ...(landedCommitId !== undefined && { landedCommitId }),
    ...(parentId !== undefined && { parentCommitId: parentId }),
    ...(treeId !== undefined && { treeId }),
    ...whereabouts(judgement),
  };
}

function whereabouts(judgement: LandedContent): Pick<ContentProof, 'contentVerdict'> & Partial<ContentProof> {
  if (judgement.verdict === 'EXACT') return { contentVerdict: 'EXACT' };
  const { verdict, reason, builtOnCommitId, findings, findingsLeftOut } = judgement;
  return {
    contentVerdict: verdict,
    contentReason: reason,
    ...(builtOnCommitId !== undefined && { builtOnCommitId }),
    ...(findings !== undefined && { findings }),
    ...(findingsLeftOut !== undefined && { findingsLeftOut }),
  };
}
