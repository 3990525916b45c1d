import { canonicalRepository } from '@plat/remote';
import { checkoutOfAnotherUser } from '../config/foreign-checkout';
import { type Git, gitIn } from '../git/git';
import { requireUnalteredLinks } from '../git/git-links';
import { listed } from '../git/listed';
import { ORIGIN } from '../origin/origin';
import { requireOwnAddress } from '../origin/rewritten-remote';
import { publicAddress } from '../origin/ssh-alias';
import { Failure } from '../terminal/failure';
import { withoutCredentials } from '../terminal/printable';
import { requireNothingHidden } from './hidden-files';

/**
 * git at the top of the folder's checkout.
 *
 * @throws Failure NOT_A_CHECKOUT, CHECKOUT_OF_ANOTHER_USER
 */
export async function openCheckout(folder: string, interrupted?: AbortSignal): Promise<Git> {
  const answer = await gitIn(folder, interrupted).try(['rev-parse', '--show-toplevel']);
  if (answer.code === 0) return gitIn(answer.stdout.replace(/\n$/, ''), interrupted);
  const foreign = /detected dubious ownership in repository at '(.+)'/.exec(answer.stderr)?.[1];
  if (foreign !== undefined) throw checkoutOfAnotherUser(foreign);
  throw new Failure('NOT_A_CHECKOUT', `${folder} is not inside a git checkout: ${answer.stderr.trim()}`, {
    next: 'run the command in the checkout of your repository',
  });
}

/** The canonical identity of the repository that the checkout's origin names. @throws as `addressOfOrigin` does */
export async function repositoryOfCheckout(git: Git): Promise<string> {
  return canonicalRepository(await addressOfOrigin(git)) ?? '';
}

/**
 * The address of the checkout's origin, as others know it. It names a repository.
 *
 * @throws Failure NO_REPOSITORY if there is no origin, or it names no repository; REWRITTEN_REMOTE, SSH_ALIAS
 */
export async function addressOfOrigin(git: Git): Promise<string> {
  const answer = await git.try(['remote', 'get-url', ORIGIN]);
  const remote = answer.stdout.trim();
  if (answer.code === 0 && canonicalRepository(remote) !== undefined) {
    await requireOwnAddress(git, remote);
    return publicAddress(git, remote);
  }
  const why =
    answer.code === 0
      ? `its origin, ${withoutCredentials(remote)}, names none`
      : 'it has no remote named origin';
  throw new Failure('NO_REPOSITORY', `The checkout does not name its repository: ${why}.`, {
    next: 'repeat the command with --repository <remote>',
  });
}

/** The branch that is checked out; undefined if HEAD is detached. */
export async function currentBranch(git: Git): Promise<string | undefined> {
  // A shortened name would be heads/main if a tag is named main.
  const { code, stdout } = await git.try(['symbolic-ref', '--quiet', 'HEAD']);
  return code === 0 ? stdout.trim().replace(/^refs\/heads\//, '') : undefined;
}

/** The full id of the commit that the revision names, or undefined. */
export async function commitOf(git: Git, revision: string): Promise<string | undefined> {
  const { code, stdout } = await git.try(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
  return code === 0 ? stdout.trim() : undefined;
}

/**
 * The branch that a remote itself checks out by default.
 *
 * @param remote its name; origin unless given
 * @throws Failure NO_TARGET_BRANCH if the remote does not name it, GIT_FAILED if it does not answer
 */
export async function defaultBranch(git: Git, remote = ORIGIN): Promise<string> {
  const stdout = await git.run(['ls-remote', '--symref', '--', remote, 'HEAD']);
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout)?.[1];
  if (branch !== undefined) return branch;
  throw new Failure('NO_TARGET_BRANCH', `${remote} does not name its default branch.`, {
    next: 'repeat the command with --target-branch <branch>',
  });
}

/** The position of HEAD. */
export interface Head {
  /** Undefined if HEAD is detached. */
  branch?: string;
  /** Undefined in a repository without a commit. */
  commit?: string;
}

const STATUS = [
  'status',
  '--porcelain=v2',
  '--branch',
  '--no-ahead-behind',
  '--no-renames',
  '--ignore-submodules=none',
];

/**
 * The position of HEAD in a clean checkout.
 *
 * @throws Failure DIRTY_TREE if anything is changed, staged or untracked, also in submodules, because a gate would
 *   build it; HIDDEN_FILES if that cannot be determined; CHECKOUT_MOVED if code of a gate has replaced a `.git`
 */
export async function requireCleanTree(git: Git): Promise<Head> {
  await requireUnalteredLinks(git);
  await requireNothingHidden(git);
  const entries = listed(await git.run([...STATUS, '--untracked-files=normal', '-z']));
  const files = entries.filter((entry) => !entry.startsWith('# ')).map(pathOfStatusEntry);
  if (files.length === 0) return headOf(entries);
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
  throw new Failure('DIRTY_TREE', `The checkout ${git.folder} has uncommitted changes: ${shown}.`, {
    details: { files },
    next: 'git stash --include-untracked, or commit the changes',
  });
}

/** Number of fields before the path, by the kind of the entry: changed, unmerged, untracked. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

function pathOfStatusEntry(entry: string): string {
  const fields = FIELDS_BEFORE_PATH[entry.charAt(0)] ?? 0;
  return entry.split(' ').slice(fields).join(' ');
}

function headOf(entries: readonly string[]): Head {
  const header = (name: string) =>
    entries.find((entry) => entry.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const [branch, commit] = [header('head'), header('oid')];
  return {
    branch: branch === '(detached)' ? undefined : branch,
    commit: commit === '(initial)' ? undefined : commit,
  };
}

/** The branch that is checked out. @throws Failure NO_SOURCE_BRANCH if HEAD is detached */
export async function requireCurrentBranch(git: Git): Promise<string> {
  const branch = await currentBranch(git);
  if (branch !== undefined) return branch;
  throw new Failure('NO_SOURCE_BRANCH', 'No branch is checked out.', {
    next: 'add --source-branch <branch>',
  });
}

/** The full id of the commit that is checked out. @throws Failure NO_COMMIT in a repository without a commit */
export async function requireHeadCommit(git: Git): Promise<string> {
  const commit = await commitOf(git, 'HEAD');
  if (commit !== undefined) return commit;
  throw new Failure('NO_COMMIT', 'The checkout has no commit.', { next: 'add --commit-id <commit>' });
}
