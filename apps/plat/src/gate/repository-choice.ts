import { openCheckout, repositoryOfCheckout } from './checkout';

/**
 * The repository that a command works on: the named one, else that of the checkout at hand.
 *
 * @throws Failure NOT_A_CHECKOUT, NO_REPOSITORY
 */
export async function chosenRepository(named: string | undefined): Promise<string> {
  return named ?? repositoryOfCheckout(await openCheckout(process.cwd()));
}
