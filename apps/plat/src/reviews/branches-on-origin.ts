import { openCheckout } from '../checkout/checkout';
import { ORIGIN } from '../origin/origin';

export interface ProposedBranches {
  sourceBranch: string;
  targetBranch: string;
}

/**
 * Notes on a proposal's branches that origin lacked at the checkout's last fetch: a mistyped target, or a source that
 * was not pushed. The platform accepts both, because they may be pushed later.
 */
export async function noteMissingBranches({
  sourceBranch,
  targetBranch,
}: ProposedBranches): Promise<string[]> {
  const git = await openCheckout(process.cwd());
  const isKnown = async (branch: string) =>
    (await git.try(['show-ref', '--verify', '--quiet', `refs/remotes/${ORIGIN}/${branch}`])).code === 0;
  return [
    ...((await isKnown(targetBranch))
      ? []
      : [`${ORIGIN} has no branch ${targetBranch}, as far as this checkout knows; a merge needs it there.`]),
    ...((await isKnown(sourceBranch))
      ? []
      : [`${sourceBranch} is not on ${ORIGIN} yet: git push ${ORIGIN} ${sourceBranch}`]),
  ];
}
