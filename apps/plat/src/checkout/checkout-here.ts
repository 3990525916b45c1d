import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';

/** The checkout of the current folder, with the canonical identity of its repository; undefined outside of one. */
export async function checkoutHere(): Promise<{ git: Git; repository: string } | undefined> {
  // Loaded here, so that a command that needs no checkout does not load git.
  const { openCheckout, repositoryOfCheckout } = await import('./checkout.js');
  try {
    const git = await openCheckout(process.cwd());
    return { git, repository: await repositoryOfCheckout(git) };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
