import { withoutCredentials } from '@plat/remote';
import { addressOfOrigin, defaultBranch, openCheckout } from '../checkout/checkout';
import { apiFailure } from '../failures/api-failure';
import { gitIn } from '../git/git';
import { type Readability, readabilityOf, type ReadBranch } from '../origin/readable-by-service';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { Skipped, Undecided } from './examination';

/**
 * Asks the platform whether it can read the checkout's repository, without which it verifies no merge.
 *
 * @returns undefined if there is no checkout whose origin others know, which another check reports
 * @throws Failure REPOSITORY_UNREADABLE, NO_SUCH_TARGET
 */
export async function lookAtRepository(platform: Platform, folder: string): Promise<string | undefined> {
  const address = await addressOfOrigin(gitIn(folder)).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  if (address === undefined) return undefined;
  const repository = withoutCredentials(address);
  const targetBranch = await branchOfOrigin(folder);
  const answer = await ask(platform, { repository, targetBranch });
  if (answer.readable === false) throw answer.failure;
  if (answer.readable) return `the platform reads ${targetBranch} of ${repository}`;
  throw new Skipped(`the platform does not say whether it can read the repository: ${answer.why.message}`);
}

async function branchOfOrigin(folder: string): Promise<string> {
  try {
    return await defaultBranch(await openCheckout(folder));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = nextStep('make sure that git fetch origin succeeds');
    throw new Undecided(`origin does not name its default branch: ${error.message}`, { next });
  }
}

/** Skips the question if the platform cannot be asked, which the checks `platform` and `sign-in` report. */
async function ask({ api }: Platform, branch: ReadBranch): Promise<Readability> {
  try {
    return await readabilityOf(api, branch);
  } catch (error) {
    const failure = error instanceof Failure ? error : apiFailure(error);
    throw failure ? new Skipped(`the platform could not be asked: ${failure.message}`) : error;
  }
}
