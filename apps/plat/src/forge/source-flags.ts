import { defaultBranch, openCheckout } from '../checkout/checkout';
import { requireGateBranches } from '../git/branches';
import type { Git } from '../git/git';
import { Flags } from '../terminal/oclif';
import { forgeFlags } from './forge-flags';
import { findGatedCommit, type GatedSource } from './pull-request';

/** The gate's source on which a command works. */
export const sourceFlags = {
  ...forgeFlags,
  source: Flags.string({ description: 'Source branch', required: true, helpValue: '<branch>' }),
  'target-branch': Flags.string({
    description: "Branch for which it was gated (default: origin's own)",
    helpValue: '<branch>',
  }),
  'source-commit': Flags.string({
    description: 'Tip of the source that the gate took (default: that of the last gate in this checkout)',
    helpValue: '<commit>',
  }),
};

/** @throws Failure INVALID_BRANCH, NOT_GATED, INVALID_COMMIT_ID, NOT_A_CHECKOUT */
export async function findGatedSource(flags: {
  source: string;
  'target-branch'?: string;
  'source-commit'?: string;
}): Promise<GatedSource> {
  const git = (): Promise<Git> => openCheckout(process.cwd());
  const targetBranch = flags['target-branch'] ?? (await defaultBranch(await git()));
  requireGateBranches([flags.source], targetBranch);
  const sourceCommit = await findGatedCommit(git, flags.source, flags['source-commit']);
  return { sourceBranch: flags.source, targetBranch, sourceCommit };
}
