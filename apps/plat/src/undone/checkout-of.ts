import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';

/** The current checkout, if it is one of a repository. @param repository its canonical identity */
export async function checkoutOf(repository: string | undefined): Promise<Git | undefined> {
  // Loaded here, so that a command outside of a checkout does not load git.
  const { openCheckout, repositoryOfCheckout } = await import('../checkout/checkout.js');
  try {
    const git = await openCheckout(process.cwd());
    return (await repositoryOfCheckout(git)) === repository ? git : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
