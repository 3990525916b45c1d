import { requireBranchName } from '../git/branches';
import { Flags } from '../terminal/oclif';

/** The target branch of a command. @param what such as `Branch to merge onto` */
export function targetBranchFlag(what: string) {
  return Flags.string({ description: `${what} (default: origin's own)`, helpValue: '<branch>' });
}

/**
 * The named branch, otherwise the default branch of the current checkout's origin.
 *
 * @throws Failure INVALID_BRANCH, NOT_A_CHECKOUT, NO_TARGET_BRANCH, GIT_FAILED
 */
export async function targetBranchOf(named: string | undefined): Promise<string> {
  if (named !== undefined) {
    requireBranchName(named, '--target-branch');
    return named;
  }
  // Loaded here, so that commands without git do not load it.
  const { defaultBranch, openCheckout } = await import('./checkout.js');
  return defaultBranch(await openCheckout(process.cwd()));
}
