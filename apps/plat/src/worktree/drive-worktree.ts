import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rmdir,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { makePrivateFolder } from '@plat/local';
import { commitOf } from '../checkout/checkout';
import { CHECKED_OUT_REF, LANDED_FILES_REF } from '../checkout/own-merge';
import { type Git, gitIn, gitInWorktree } from '../git/git';
import { findAlteredLinks, isSamePlace, readGitLink } from '../git/git-links';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { shellQuote } from '../terminal/shell-quote';

/** The author and the time of the commit on which a worktree begins, so that it is the same commit each time. */
const FIRST = {
  GIT_AUTHOR_NAME: 'plat',
  GIT_AUTHOR_EMAIL: 'plat@localhost',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'plat',
  GIT_COMMITTER_EMAIL: 'plat@localhost',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

const SUFFIX = '.plat-drive';

export interface WorktreeInput {
  configFolder: string;
  note(line: string): void;
}

/**
 * Opens the worktree in which the drives of a checkout work, and makes it if it is missing. It is kept, so that files
 * that the repository ignores, such as caches, serve the gate after a landing. The caller has claimed the checkout.
 *
 * @returns git in the worktree
 * @throws Failure WORKTREE_UNUSABLE, GIT_FAILED
 */
export async function openDriveWorktree(checkout: Git, input: WorktreeInput): Promise<Git> {
  const folder = await chooseFolder(checkout, input.configFolder);
  const git = (await openUnaltered(checkout, folder)) ?? (await makeWorktree(checkout, folder, input.note));
  await checkOutWhole(git);
  if ((await commitOf(git, CHECKED_OUT_REF)) === undefined) {
    const first = await makeFirstCommit(checkout);
    // A worktree that was just made has no files of a gate.
    for (const ref of [LANDED_FILES_REF, CHECKED_OUT_REF]) await git.run(['update-ref', ref, first]);
  }
  return git;
}

/** Refuses the worktree of a checkout's drives, which another drive may be using. @throws Failure WORKTREE_OF_DRIVES */
export async function requireNoDriveWorktree(git: Git): Promise<void> {
  if ((await commitOf(git, CHECKED_OUT_REF)) === undefined) return;
  throw new Failure(
    'WORKTREE_OF_DRIVES',
    `${git.folder} is the worktree in which drives of a checkout work.`,
    {
      next: 'run the command in the checkout itself; git worktree list names both',
    },
  );
}

/**
 * The folder of the worktree of a checkout's drives: the one that is there, otherwise the one where it can be made.
 * Usually it is next to the checkout, where relative paths and the settings of tools in folders above stay as they are. It is
 * not in the git folder, because test runners ignore files below a folder `.git`.
 *
 * @throws Failure WORKTREE_UNUSABLE
 */
export async function chooseFolder(checkout: Git, configFolder: string): Promise<string> {
  const places = [`${checkout.folder}${SUFFIX}`, await privatePlace(checkout, configFolder)] as const;
  for (const place of places) if (await isWorktree(checkout, place)) return place;
  const [sibling, own] = places;
  if ((await isFree(checkout, sibling)) && (await mayHold(dirname(sibling)))) return sibling;
  if (await isFree(checkout, own)) return own;
  throw new Failure(
    'WORKTREE_UNUSABLE',
    `Drives have no folder to work in: ${places.join(' and ')} are taken.`,
    {
      details: { folders: places },
      next: nextStep('move', [own], 'elsewhere, then repeat the command'),
    },
  );
}

async function privatePlace(checkout: Git, configFolder: string): Promise<string> {
  const own = (await checkout.run(['rev-parse', '--absolute-git-dir'])).trim();
  const id = createHash('sha256').update(own).digest('hex').slice(0, 12);
  return join(configFolder, 'worktrees', `${basename(checkout.folder)}-${id}`);
}

/** git in the worktree, if it is one of the repository and no gate has replaced a `.git` in it. */
async function openUnaltered(checkout: Git, folder: string): Promise<Git | undefined> {
  const git = await openWorktree(checkout, folder);
  return git === undefined || (await findAlteredLinks(git)).length > 0 ? undefined : git;
}

/**
 * git in the folder, if it is a worktree of the checkout's repository and of this user. Only the repository says so: the
 * folder's own `.git` is compared with it, and git does not read it.
 */
async function openWorktree(checkout: Git, folder: string): Promise<Git | undefined> {
  const gitFolder = await findRegisteredFolder(checkout, folder);
  const link = gitFolder === undefined ? undefined : readGitLink(await realpath(folder));
  if (gitFolder === undefined || link === undefined || !isSamePlace(link, gitFolder)) return undefined;
  return gitInWorktree(folder, gitFolder, checkout.interrupted);
}

/** Whether the folder is a worktree of the checkout's repository, in which a drive can work. */
export async function isWorktree(checkout: Git, folder: string): Promise<boolean> {
  return (await openUnaltered(checkout, folder)) !== undefined;
}

/**
 * The git folder that the repository keeps for a worktree.
 *
 * @returns undefined if it has none for the folder, or if the folder is another user's
 */
async function findRegisteredFolder(checkout: Git, folder: string): Promise<string | undefined> {
  const worktrees = await worktreesFolder(checkout);
  if (!(await isOwnFolder(folder, dirname(worktrees)))) return undefined;
  for (const name of await readdir(worktrees).catch(() => [])) {
    const gitFolder = join(worktrees, name);
    const named = (await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => '')).trimEnd();
    if (named !== '' && isSamePlace(dirname(resolve(gitFolder, named)), folder)) return gitFolder;
  }
  return undefined;
}

/** Whether it is a folder of this user, or of the owner of the repository, which git trusts. */
async function isOwnFolder(folder: string, repository: string): Promise<boolean> {
  const facts = await lstat(folder).catch(() => undefined);
  if (!facts?.isDirectory()) return false;
  return facts.uid === process.getuid?.() || facts.uid === (await lstat(repository)).uid;
}

/** Where the repository keeps the git folders of its worktrees. No gate writes there. */
async function worktreesFolder(checkout: Git): Promise<string> {
  const common = await checkout.run(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  return join(common.replace(/\n$/, ''), 'worktrees');
}

/** Whether nothing is in the folder's place, or only an earlier worktree of the repository. */
async function isFree(checkout: Git, folder: string): Promise<boolean> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => error.code ?? '');
  if (typeof found === 'string') return found === 'ENOENT';
  return found.isDirectory() && (await isLeft(checkout, folder));
}

/** Whether the folder was a worktree of the repository: git no longer knows it, or a gate has replaced its `.git`. */
async function isLeft(checkout: Git, folder: string): Promise<boolean> {
  if ((await findRegisteredFolder(checkout, folder)) !== undefined) return true;
  const link = readGitLink(await realpath(folder)) ?? '';
  return link.startsWith(`${await worktreesFolder(checkout)}/`);
}

/** Whether the folder can take another one, and is in no other repository, in which it would be an untracked file. */
async function mayHold(folder: string): Promise<boolean> {
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return false;
  const { code, stdout } = await gitIn(folder).try(['rev-parse', '--is-inside-work-tree']);
  return code !== 0 || stdout.trim() !== 'true';
}

async function makeWorktree(checkout: Git, folder: string, note: (line: string) => void): Promise<Git> {
  if (await isThere(folder)) await moveLeft(checkout, folder, note);
  if (dirname(folder) !== dirname(checkout.folder)) await makePrivateFolder(dirname(folder));
  // The folder is made here, so that it is of this user.
  await mkdir(folder);
  try {
    await checkout.run(addArguments(folder, await makeFirstCommit(checkout)));
  } catch (error) {
    await rmdir(folder).catch(() => undefined);
    throw error;
  }
  const git = await openWorktree(checkout, folder);
  if (git === undefined) {
    throw new Failure('WORKTREE_UNUSABLE', `git made the worktree ${folder} elsewhere.`, {
      details: { folders: [folder] },
      next: nextStep('look at', ['git', 'worktree', 'list'], ', then repeat the command'),
    });
  }
  note(`Drives of this checkout work in ${folder}, a worktree of their own.`);
  return git;
}

/** Moves away what is in the place of the worktree. What made it a repository is renamed, so that git runs nothing of it. */
async function moveLeft(checkout: Git, folder: string, note: (line: string) => void): Promise<void> {
  const git = await openWorktree(checkout, folder);
  const isKnown = (await findRegisteredFolder(checkout, folder)) !== undefined;
  const links = git === undefined ? ['.git'] : ['.git', ...(await findAlteredLinks(git))];
  const left = `${folder}.left-${randomBytes(4).toString('hex')}`;
  await rename(folder, left);
  for (const link of links) await disarm(await realpath(left), link);
  const why = isKnown ? 'A gate replaced a .git in the worktree' : 'git no longer knew the worktree';
  note(`${why} ${folder}. What was in it is in ${left}.`);
}

/** Renames a `.git`, unless it is below a link, which may lead out of the folder. */
async function disarm(folder: string, link: string): Promise<void> {
  const path = join(folder, link);
  if ((await realpath(dirname(path)).catch(() => '')) !== dirname(path)) return;
  await rename(path, `${path}-of-gate`).catch(() => undefined);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** git may still know a worktree whose folder was deleted, or one whose making was cut short, which is locked. */
function addArguments(folder: string, commitId: string): string[] {
  return ['worktree', 'add', '--quiet', '--force', '--force', '--detach', '--', folder, commitId];
}

/** The command that makes the worktree, as `--dry-run` prints it. Rule G2. */
export function plannedWorktree(folder: string): string {
  return shellQuote(['git', ...addArguments(folder, '<commit without files>')]);
}

/**
 * Makes a commit without files. git makes no worktree without a commit, and from an empty one the first drive checks out its
 * target by the same steps as each later one.
 */
async function makeFirstCommit({ folder, interrupted }: Git): Promise<string> {
  const git = gitIn(folder, interrupted, FIRST);
  const empty = (await git.run(['hash-object', '-w', '-t', 'tree', '--stdin'], '')).trim();
  const made = ['-c', 'commit.gpgSign=false', 'commit-tree', '-m', 'The worktree of drives begins', empty];
  return (await git.run(made)).trim();
}

/** git copies the settings of a sparse checkout to a new worktree, but a gate builds all files. */
async function checkOutWhole(git: Git): Promise<void> {
  const isSet = async (key: string) =>
    (await git.run(['config', '--type=bool', '--default=false', key])).trim() === 'true';
  if (!(await isSet('core.sparseCheckout')) || !(await isSet('extensions.worktreeConfig'))) return;
  await git.run(['config', '--worktree', 'core.sparseCheckout', 'false']);
}
