import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../terminal/failure';
import { filesInTheWay } from './files-in-the-way';
import { type Git, gitFailure } from './git';

const MODULES = '.gitmodules';
const UPDATE = ['submodule', '--quiet', 'update', '--recursive'];

/** The error code for a commit whose submodules cannot be checked out anywhere. */
const UNUSABLE = 'SUBMODULE_UNUSABLE';

/** Whether the commit itself is at fault, and not this checkout or the network. */
export function isUnusable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === UNUSABLE;
}

/**
 * Updates the initialised submodules to the versions of the checked-out commit, which git's checkout leaves to the
 * user.
 *
 * @param paths of the submodules to update; if empty, all of them
 * @throws Failure SUBMODULE_UNUSABLE if a submodule's remote reports that it lacks the commit, GIT_FAILED
 */
export async function updateSubmodules(git: Git, paths: readonly string[] = []): Promise<void> {
  if (!(await isThere(join(git.folder, MODULES)))) return;
  const args = [...UPDATE, '--', ...paths];
  const answer = await git.try(args);
  if (answer.code === 0) return;
  throw lackedCommit(answer.stderr) ?? gitFailure(args, answer);
}

/**
 * Updates the submodules after a checkout that was cut short. A submodule stays at a commit that is on none of
 * its branches, tags and remote branches: a person may have made that commit since.
 */
export async function updateHeldSubmodules(git: Git): Promise<void> {
  const held: string[] = [];
  for (const path of await submodulesIn(git, '.')) {
    const refs = ['--branches', '--tags', '--remotes'];
    const own = ['-C', path, 'rev-list', '--max-count=1', 'HEAD', '--not', ...refs];
    if ((await git.run(own)) === '') held.push(path);
  }
  if (held.length > 0) await updateSubmodules(git, held);
}

/** git reports an unreachable remote like one that lacks the commit. Only the output of the remote distinguishes them. */
function lackedCommit(said: string): Failure | undefined {
  const [, path, commitId] =
    /in submodule path '(.+)', but it did not contain ([0-9a-f]+)\./.exec(said) ?? [];
  const refusals = /(?:not our ref|request for unadvertised object) ([0-9a-f]+)/g;
  const isRefused = [...said.matchAll(refusals)].some(([, refused]) => refused === commitId);
  if (path === undefined || commitId === undefined || !isRefused) return undefined;
  return new Failure(UNUSABLE, `The remote of the submodule ${path} has no commit ${commitId}.`, {
    details: { files: [path], commitId },
    next: `push the commit in the submodule ${path}, or set the submodule to one that its remote has; then repeat the command`,
  });
}

/**
 * Requires that git can read the list of a revision's submodules. Otherwise no git command works in its checkout.
 *
 * @throws Failure SUBMODULE_UNUSABLE
 */
export async function requireReadableSubmodules(git: Git, revision: string): Promise<void> {
  // The checkout itself reports a revision that does not exist.
  if ((await git.try(['ls-tree', revision, '--', MODULES])).stdout === '') return;
  const answer = await git.try(['config', '--blob', `${revision}:${MODULES}`, '--list']);
  if (answer.code === 0) return;
  throw new Failure(UNUSABLE, `git cannot read ${MODULES}: ${answer.stderr.trim()}.`, {
    details: { files: [MODULES] },
    next: `correct ${MODULES} on origin, then repeat the command`,
  });
}

/**
 * The paths of the checked-out submodules that a revision lacks. git's checkout leaves their files behind.
 *
 * @throws Failure FILES_IN_THE_WAY if one of them has files that no commit holds
 */
export async function submodulesNotIn(git: Git, revision: string): Promise<string[]> {
  const here = await submodulesIn(git, '.');
  if (here.length === 0) return [];
  const staying = new Set(gitlinks(await git.run(['ls-tree', '-z', revision, '--', ...here])));
  const leaving = here.filter((path) => !staying.has(path));
  for (const path of leaving) await requireNothingOwn(git, path);
  return leaving;
}

/**
 * Takes the files of submodules out of the checkout. Settings, commits and stash of each stay in its git folder, from
 * which `updateSubmodules` puts the files back.
 *
 * @param paths of submodules without files that no commit holds
 */
export async function takeOutSubmodules(git: Git, paths: readonly string[]): Promise<void> {
  for (const path of paths) await takeOut(git, '.', path);
}

/** @param folder in which the submodule is: the checkout, or another submodule */
async function takeOut(git: Git, folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  for (const nested of await submodulesIn(git, path)) await takeOut(git, path, nested);
  // A submodule that an early git added has its git folder among its files.
  await git.run(['-C', folder, 'submodule', '--quiet', 'absorbgitdirs', '--', name]);
  const empty = (await git.run(['hash-object', '-t', 'tree', '--stdin'], '')).trim();
  await git.run(['-C', path, 'read-tree', '-m', '-u', 'HEAD', empty]);
  // If it names a folder that does not exist, git refuses to work in the submodule's git folder.
  await git.try(['-C', path, 'config', '--unset', 'core.worktree']);
  await rm(join(git.folder, path, '.git'));
}

/** The paths of a folder's submodules whose files are checked out. */
async function submodulesIn(git: Git, folder: string): Promise<string[]> {
  if (!(await isThere(join(git.folder, folder, MODULES)))) return [];
  const read = ['config', '--file', MODULES, '-z', '--get-regexp', '^submodule\\..*\\.path$'];
  const { stdout } = await git.try(['-C', folder, ...read]);
  const known = stdout.split('\0').flatMap((setting) => setting.split('\n').slice(1));
  if (known.length === 0) return [];
  const list = ['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', ...known];
  const paths = gitlinks(await git.run(['-C', folder, ...list]));
  const there = await Promise.all(paths.map((path) => isThere(join(git.folder, folder, path, '.git'))));
  return paths.filter((_path, at) => there[at]);
}

/** Refuses files that no commit holds. Ignored ones count, because there may be no other copy of them. */
async function requireNothingOwn(git: Git, path: string): Promise<void> {
  const status = ['status', '--porcelain', '--ignored', '--ignore-submodules=none', '--no-renames', '-z'];
  const entries = (await git.run(['-C', path, ...status])).split('\0').filter((entry) => entry !== '');
  const files = entries.map((entry) => join(path, entry.slice(3)));
  if (files.length > 0) throw filesInTheWay(git, files);
  for (const nested of await submodulesIn(git, path)) await requireNothingOwn(git, join(path, nested));
}

/** The paths of the submodules among the entries that `ls-files --stage` or `ls-tree` lists. */
function gitlinks(listed: string): string[] {
  return listed
    .split('\0')
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
