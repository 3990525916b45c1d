import { currentBranch } from '../gate/checkout';
import { checkOutBranch } from '../gate/place';
import type { DriveContext } from './drive-context';

/**
 * Checks the former branch out again after a complete drive; one that stops leaves its merge checked out. Merged
 * reviews are reported even if the former branch cannot be checked out.
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
