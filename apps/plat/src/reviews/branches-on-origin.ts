import { openCheckout } from '../gate/checkout';
import { ORIGIN } from '../gate/origin';

export interface ProposedBranches {
  sourceBranch: string;
  targetBranch: string;
}

/**
 * What a person should know of a proposal's branches that origin did not have as the checkout fetched it last: a
 * mistyped target, or a source that was not pushed. The platform takes both, since they may be pushed later.
 */
export async function missingOnOrigin({ sourceBranch, targetBranch }: ProposedBranches): Promise<string[]> {
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
