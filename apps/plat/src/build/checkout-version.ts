import { openCheckout } from '../checkout/checkout';
import { Failure } from '../terminal/failure';
import { readVersion, snapshotOf } from './version-file';

/** A snapshot of the version in the folder's checkout; undefined without a checkout or a version. */
export async function checkoutVersion(folder: string, now: Date): Promise<string | undefined> {
  try {
    const { folder: top } = await openCheckout(folder);
    return snapshotOf(await readVersion(top), now);
  } catch (error) {
    if (
      error instanceof Failure &&
      ['NOT_A_CHECKOUT', 'CHECKOUT_OF_ANOTHER_USER', 'NO_VERSION'].includes(error.code)
    ) {
      return undefined;
    }
    throw error;
  }
}
