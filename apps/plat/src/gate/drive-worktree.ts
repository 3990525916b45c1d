import { createHash, randomBytes } from 'node:crypto';
import { access, constants, lstat, mkdir, readFile, realpath, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder } from '@plat/local';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { shellQuote } from '../terminal/shell-quote';
import { commitOf } from './checkout';
import { type Git, gitIn } from './git';
import { CHECKED_OUT_REF, LANDED_FILES_REF } from './own-merge';

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
  if (!(await isWorktree(checkout, folder))) await makeWorktree(checkout, folder, input.note);
  const git = gitIn(folder, checkout.interrupted);
  await checkOutWhole(git);
  if ((await commitOf(git, CHECKED_OUT_REF)) === undefined) {
    const first = await firstCommit(checkout);
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
 * Usually it is beside the checkout, where relative paths and the settings of tools in folders above stay as they are. It is
 * not in the git folder, because test runners ignore files below a folder `.git`.
 *
 * @throws Failure WORKTREE_UNUSABLE
 */
export async function chooseFolder(checkout: Git, configFolder: string): Promise<string> {
  const places = [`${checkout.folder}${SUFFIX}`, await privatePlace(checkout, configFolder)] as const;
  for (const place of places) if (await isWorktree(checkout, place)) return place;
  const [beside, own] = places;
  if ((await isFree(checkout, beside)) && (await mayHold(dirname(beside)))) return beside;
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

/** Whether the folder is the top of a worktree of the checkout's repository. git refuses those of other users. */
export async function isWorktree(checkout: Git, folder: string): Promise<boolean> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const common = (await checkout.run(asked)).trim();
  const { code, stdout } = await checkout.try(['-C', folder, ...asked, '--show-toplevel']);
  if (code !== 0) return false;
  const [there, top] = stdout.split('\n');
  return there === common && top === (await realpath(folder));
}

/** Whether nothing is in the folder's place, or only what an earlier worktree of the repository left there. */
async function isFree(checkout: Git, folder: string): Promise<boolean> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => error.code ?? '');
  if (typeof found === 'string') return found === 'ENOENT';
  return found.isDirectory() && (await isLeft(checkout, folder));
}

/** Whether the folder was a worktree of the repository, which git no longer knows. */
async function isLeft(checkout: Git, folder: string): Promise<boolean> {
  const common = (await checkout.run(['rev-parse', '--path-format=absolute', '--git-common-dir'])).trim();
  const link = await readFile(join(folder, '.git'), 'utf8').catch(() => '');
  return link.startsWith(`gitdir: ${join(common, 'worktrees')}/`);
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

async function makeWorktree(checkout: Git, folder: string, note: (line: string) => void): Promise<void> {
  if (await isLeft(checkout, folder)) {
    const left = `${folder}.left-${randomBytes(4).toString('hex')}`;
    await rename(folder, left);
    note(`git no longer knew the worktree ${folder}. What was in it is in ${left}.`);
  }
  if (dirname(folder) !== dirname(checkout.folder)) await makePrivateFolder(dirname(folder));
  // The folder is made here, so that it is of this user.
  await mkdir(folder);
  try {
    await checkout.run(addArguments(folder, await firstCommit(checkout)));
  } catch (error) {
    await rmdir(folder).catch(() => undefined);
    throw error;
  }
  note(`Drives of this checkout work in ${folder}, a worktree of their own.`);
}

/** git may still know a worktree whose folder was deleted, or one whose making was cut short, which is locked. */
function addArguments(folder: string, commitId: string): string[] {
  return ['worktree', 'add', '--quiet', '--force', '--force', '--detach', '--', folder, commitId];
}

/** The command that makes the worktree, as `--dry-run` prints it. Decision G2. */
export function plannedWorktree(folder: string): string {
  return shellQuote(['git', ...addArguments(folder, '<commit without files>')]);
}

/** A commit without files, so that the first checkout of a drive is one as any other. */
async function firstCommit({ folder, interrupted }: Git): Promise<string> {
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
