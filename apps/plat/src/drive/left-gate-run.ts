import type { Environment } from '../environment';
import { openCheckout } from '../gate/checkout';
import { checkoutFolder, claimsOn } from '../gate/checkout-lock';
import { Failure } from '../terminal/failure';
import { DriveStateFile } from './drive-state';

/**
 * Whether a drive of the folder's checkout began the gate run and has ended without a verdict, as after a crash. The
 * platform goes on to show such a run as RUNNING, until another drive decides it.
 *
 * @returns false outside a checkout, and for a gate run that another checkout began
 */
export async function isGateRunLeft(
  folder: string,
  environment: Environment,
  { targetBranch, gateRunId }: { targetBranch: string; gateRunId: string },
): Promise<boolean> {
  try {
    const git = await openCheckout(folder);
    const state = await new DriveStateFile(await checkoutFolder(git), targetBranch).read();
    if (state?.gateRunId !== gateRunId || state.verdict) return false;
    const stores = await claimsOn(git, environment);
    const leases = (await Promise.all(stores.map((store) => store.list()))).flat();
    return leases.every(({ scope }) => scope === undefined);
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
