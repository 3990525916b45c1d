import { openCheckout } from '../gate/checkout';
import { Failure } from '../terminal/failure';
import { readVersion, snapshotOf } from './version-file';

/** A snapshot of the version in the checkout at hand; undefined where there is no checkout, or it has none. */
export async function checkoutVersion(folder: string, now: Date): Promise<string | undefined> {
  try {
    const { folder: top } = await openCheckout(folder);
    return snapshotOf(await readVersion(top), now);
  } catch (error) {
    if (error instanceof Failure && ['NOT_A_CHECKOUT', 'NO_VERSION'].includes(error.code)) return undefined;
    throw error;
  }
}
