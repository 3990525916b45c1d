import { join } from 'node:path';
import type { Git } from '../git/git';
import { listCheckedOutSubmodules } from '../git/git-links';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';

/**
 * Checks that git examines every file of the checkout. If a file is marked as unchanged or as not checked out, git
 * reports it as clean, whatever its content is.
 *
 * @throws Failure HIDDEN_FILES
 */
export async function requireNothingHidden(git: Git): Promise<void> {
  const files = await listHidden(git, '.');
  for (const submodule of await listCheckedOutSubmodules(git)) {
    files.push(...(await listHidden(submodule.git, submodule.path)));
  }
  if (files.length === 0) return;
  const sparse = await git.run(['config', '--type=bool', '--default=false', 'core.sparseCheckout']);
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
  throw new Failure(
    'HIDDEN_FILES',
    sparse.trim() === 'true'
      ? `The checkout ${git.folder} is a sparse one, and a gate builds all of it: ${shown} are not checked out.`
      : `git does not look at files of the checkout ${git.folder} (assume-unchanged, skip-worktree): ${shown}.`,
    {
      details: { files },
      next:
        sparse.trim() === 'true'
          ? 'git sparse-checkout disable, or run the command in a whole checkout'
          : 'git update-index --no-assume-unchanged <file>, and git update-index --no-skip-worktree <file>',
    },
  );
}

async function listHidden(git: Git, path: string): Promise<string[]> {
  const entries = listed(await git.run(['-C', path, 'ls-files', '-v', '-z']));
  return entries.filter((entry) => /^[a-zS] /.test(entry)).map((entry) => join(path, entry.slice(2)));
}
