import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git';

/**
 * Brings the submodules that are initialised in the checkout to the commits that are checked out with it, which git's
 * checkout leaves to the user.
 *
 * @throws Failure GIT_FAILED
 */
export async function updateSubmodules(git: Git): Promise<void> {
  const hasAny = await access(join(git.folder, '.gitmodules')).then(
    () => true,
    () => false,
  );
  if (hasAny) await git.run(['submodule', '--quiet', 'update', '--recursive']);
}
