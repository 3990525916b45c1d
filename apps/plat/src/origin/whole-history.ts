import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';

/**
 * Refuses a shallow clone. It lacks the commits at which branches parted, so a missing commit proves nothing.
 *
 * @throws Failure SHALLOW_CHECKOUT
 */
export async function requireWholeHistory(git: Git): Promise<void> {
  if ((await git.run(['rev-parse', '--is-shallow-repository'])).trim() !== 'true') return;
  throw new Failure(
    'SHALLOW_CHECKOUT',
    `The checkout ${git.folder} is a shallow clone: it lacks history that the command needs.`,
    { next: 'git fetch --unshallow, then repeat the command' },
  );
}
