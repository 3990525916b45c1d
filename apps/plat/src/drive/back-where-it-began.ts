import { currentBranch } from '../gate/checkout';
import { checkOutBranch } from '../gate/place';
import type { DriveContext } from './drive-context';

/**
 * A drive that comes to its end leaves the branch checked out that was; one that stops leaves what it was at. What it
 * merged is reported, even if the way back is not free.
 */
export async function backWhereItBegan<T>(
  { git, note }: Pick<DriveContext, 'git' | 'note'>,
  work: () => Promise<T>,
): Promise<T> {
  const before = await currentBranch(git);
  const result = await work();
  if (before === undefined || before === (await currentBranch(git))) return result;
  await checkOutBranch(git, before).catch((error: unknown) => {
    note(`${before} is not checked out again: ${error instanceof Error ? error.message : String(error)}`);
  });
  return result;
}
