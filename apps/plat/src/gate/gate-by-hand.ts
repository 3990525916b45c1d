import { Failure } from '../terminal/failure';
import { requireCleanTree } from './checkout';
import type { Git } from './git';
import { noteGated } from './own-merge';
import { requireStanding } from './standing';

/**
 * Runs a gate that a person started by hand. If the checkout is on a branch without changes, before and after, its
 * success is recorded for `plat exec push`.
 *
 * @param git of the checkout; undefined outside a checkout
 * @param note called with the reason if a success is not recorded
 */
export async function gatedByHand<T>(
  git: Git | undefined,
  note: (line: string) => void,
  gate: () => Promise<T>,
): Promise<T> {
  const before = git && (await unlessRefused(requireCleanTree(git), note));
  const result = await gate();
  const { branch, commit } = before ?? {};
  if (!git || branch === undefined || commit === undefined) return result;
  const standing = requireStanding(git, branch, commit).then(() => true as const);
  if (await unlessRefused(standing, note)) await noteGated(git, branch, commit);
  return result;
}

async function unlessRefused<T>(look: Promise<T>, note: (line: string) => void): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(`The gate does not count for plat exec push: ${error.message}`);
    return undefined;
  }
}
