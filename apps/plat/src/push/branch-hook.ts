import { dirname, join, relative, resolve } from 'node:path';
import type { Git } from '../git/git';
import { realPath } from '../git/git-links';
import { isWithin } from '../git/is-within';

const HOOK = 'pre-push';
/** The option by which git runs no hook. */
const WITHOUT_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

const reported = new WeakSet<Git>();

/**
 * The arguments of a push that runs no hook of the branch. A relative `core.hooksPath`, which tools for hooks set, leads
 * into the checkout, where the hook is the one of the merge: it would get all variables of the person. Any other hook is
 * the person's own, and runs.
 *
 * @param note called with the reason, once for each checkout
 */
export async function withoutBranchHook(
  git: Git,
  args: readonly string[],
  note?: (line: string) => void,
): Promise<string[]> {
  const hook = await findBranchHook(git);
  if (hook === undefined) return [...args];
  if (note && !reported.has(git)) {
    note(
      `The hook ${relative(git.folder, hook)} is not run by the push: it is a file of the checkout, so the branch decides what it does.`,
    );
    reported.add(git);
  }
  return [...WITHOUT_HOOKS, ...args];
}

/** The hook that git would run before a push, if the checkout decides which program it is. */
async function findBranchHook(git: Git): Promise<string | undefined> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const common = (await git.run(asked)).replace(/\n$/, '');
  const hook = join(await hooksFolder(git, common), HOOK);
  const real = realPath(hook);
  if (real === undefined) return undefined;
  const [top, own] = [realPath(git.folder) ?? git.folder, realPath(common) ?? common];
  // A link in the checkout can lead anywhere, and a link outside of it can lead into it.
  const places = [hook, join(realPath(dirname(hook)) ?? '', HOOK), real];
  const isOfBranch = (place: string) =>
    (isWithin(place, top) || isWithin(place, git.folder)) &&
    !isWithin(place, own) &&
    !isWithin(place, common);
  return places.some(isOfBranch) ? hook : undefined;
}

/** Where git looks for hooks when it pushes. */
async function hooksFolder(git: Git, common: string): Promise<string> {
  const values = (await git.try(['config', '--type=path', '-z', '--get-all', 'core.hooksPath'])).stdout;
  // The last value is the client's own, by which any git but a push runs no hook.
  const set = values.split('\0').slice(0, -2).at(-1);
  return set === undefined ? join(common, 'hooks') : resolve(git.folder, set);
}
