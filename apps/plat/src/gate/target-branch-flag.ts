import { Flags } from '../terminal/oclif';
import { requireBranchName } from './branches';

/** The target branch that a command is about. @param what such as `Branch to merge onto` */
export function targetBranchFlag(what: string) {
  return Flags.string({ description: `${what} (default: origin's own)`, helpValue: '<branch>' });
}

/**
 * The named branch, else the one that origin of the checkout at hand checks out by default.
 *
 * @throws Failure INVALID_BRANCH, NOT_A_CHECKOUT, NO_TARGET_BRANCH, GIT_FAILED
 */
export async function targetBranchOf(named: string | undefined): Promise<string> {
  if (named !== undefined) {
    requireBranchName(named, '--target-branch');
    return named;
  }
  // What works with git is loaded where it is needed.
  const { defaultBranch, openCheckout } = await import('./checkout.js');
  return defaultBranch(await openCheckout(process.cwd()));
}
