import { type Git, gitFailure } from '../git/git';
import { Failure } from '../terminal/failure';

/** Prints the change of each commit on stdin, whatever the settings of the person, in a form that `patch-id` reads. */
const CHANGES = [
  'diff-tree',
  '--stdin',
  '--root',
  '-r',
  '--patch',
  '--full-index',
  '--no-color',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=none',
];
const PATCH_IDS = ['patch-id', '--verbatim'];
/** git's exit code for an option that it does not know. */
const USAGE = 129;

/**
 * Which of the commits make the same change as one of the others, to the byte, white space included: with other indentation
 * a program may do something else.
 *
 * @param commits not merges
 * @throws Failure GIT_TOO_OLD, GIT_FAILED
 */
export async function sameChanges(
  git: Git,
  { commits, others }: { commits: readonly string[]; others: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (commits.length === 0 || others.length === 0) return new Set();
  const [own, theirs] = [await patchIds(git, commits), await patchIds(git, others)];
  const known = new Set(theirs.values());
  return new Set(commits.filter((commit) => known.has(own.get(commit) ?? '')));
}

/** The id of each commit's change; empty if it changes nothing. Commits whose change has no id of its own are left out. */
async function patchIds(git: Git, commits: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const commit of commits) {
    const change = await git.bytes(CHANGES, `${commit}\n`);
    // git reads a line only up to a NUL, and what is behind it would not count.
    if (change.includes(0)) continue;
    const answer = await git.try(PATCH_IDS, change);
    if (answer.code === USAGE) throw gitTooOld();
    if (answer.code !== 0) throw gitFailure(PATCH_IDS, answer);
    ids.set(commit, answer.stdout.split(' ')[0]!.trim());
  }
  return ids;
}

const gitTooOld = (): Failure =>
  new Failure('GIT_TOO_OLD', 'This git cannot compare changes with their white space; 2.39 can.', {
    next: 'install git 2.39 or newer',
  });
