import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git';

/**
 * Updates the initialised submodules to the versions of the checked-out commit, which git's checkout leaves to the
 * user.
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
