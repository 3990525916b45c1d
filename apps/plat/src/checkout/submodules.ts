import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitFailure, gitLike } from '../git/git';
import { gitAt, readGitLink, requireUnalteredLinks } from '../git/git-links';
import { listed } from '../git/listed';
import { remoteSlow, SUBMODULES_MILLISECONDS_MAX } from '../git/silence';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { filesInTheWay } from './files-in-the-way';
import {
  filter,
  gitlinks,
  isThere,
  listClonedIn,
  MODULES,
  namesByPath,
  submodulesBelow,
  submodulesIn,
} from './submodule-list';

const UPDATE = ['submodule', '--quiet', 'update'];

/** Whether the commit itself is at fault, and not this checkout or the network. */
export function isUnusable(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'SUBMODULE_UNUSABLE';
}

/**
 * Updates the initialised submodules to the versions of the checked-out commit, which git's checkout leaves to the
 * user. A submodule that was cloned here is checked out although `submodule.<name>.update` says none, merge or rebase:
 * the gate is of exactly these versions, and moves no branch of a submodule.
 *
 * @param paths of the submodules to update; if empty, all of them
 * @param options for git, such as `--force`, which discards changes in submodules
 * @throws Failure SUBMODULE_UNUSABLE if a submodule's remote reports that it lacks the commit, GIT_FAILED
 */
export async function updateSubmodules(
  git: Git,
  paths: readonly string[] = [],
  options: readonly string[] = [],
): Promise<void> {
  if (!(await isThere(join(git.folder, MODULES)))) return;
  await withinOneTime(git, async (bounded) => {
    await updateCloned(bounded, '.', { paths, options });
    if (paths.length === 0) await update(bounded, '.', [...options, '--recursive']);
  });
}

/**
 * Bounds the time of all commands of the work together: a branch may name any number of submodules, and each remote could
 * take the longest time of one command.
 *
 * @param work with a git whose commands end at the end of the time
 * @throws Failure REMOTE_SILENT
 */
export async function withinOneTime(
  git: Git,
  work: (bounded: Git) => Promise<void>,
  milliseconds = SUBMODULES_MILLISECONDS_MAX,
): Promise<void> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(remoteSlow(milliseconds)), milliseconds);
  const signals = git.interrupted === undefined ? [end.signal] : [end.signal, git.interrupted];
  try {
    await work(gitLike(git, AbortSignal.any(signals)));
  } finally {
    clearTimeout(timer);
  }
}

interface Updated {
  paths: readonly string[];
  options: readonly string[];
}

async function updateCloned(git: Git, folder: string, { paths, options }: Updated): Promise<void> {
  const cloned = paths.length === 0 ? await listClonedIn(git, folder) : paths;
  for (const path of cloned) await takeOutLeaving(git, folder, path);
  if (cloned.length > 0) await update(git, folder, [...options, '--checkout', '--', ...cloned]);
  for (const path of cloned) await updateCloned(git, join(folder, path), { paths: [], options });
}

/** Tries once more what fails, because a remote that fails for a moment must neither stop a gate nor fail a source. */
async function update(git: Git, folder: string, more: readonly string[]): Promise<void> {
  const args = ['--literal-pathspecs', '-C', folder, ...UPDATE, ...more];
  const attempt = async () => {
    // The checkout may have made a submodule of a folder into which code of a gate had put a `.git`.
    await requireUnalteredLinks(git);
    const before = new Set(await submodulesBelow(git, folder));
    const answer = await gitAt(git, folder).try(args);
    if (answer.code !== 0) await unlinkDead(git, folder, before);
    return answer;
  };
  let answer = await attempt();
  if (answer.code !== 0 && lackedCommit(answer.stderr, folder) === undefined) answer = await attempt();
  if (answer.code !== 0) throw lackedCommit(answer.stderr, folder) ?? gitFailure(args, answer);
}

/**
 * Removes each `.git` that git has just written, and that leads to no repository: git removes the clone of a submodule whose
 * name would put it inside that of another one, and leaves the `.git`, at which every later command in the checkout fails.
 *
 * @param known paths of submodules that were there before, from the top of the checkout
 */
async function unlinkDead(git: Git, folder: string, known: ReadonlySet<string>): Promise<void> {
  for (const name of (await namesByPath(git, folder)).keys()) {
    const path = join(folder, name);
    const leadsTo = readGitLink(git.folder, path);
    if (leadsTo === undefined) continue;
    if (await isThere(join(leadsTo, 'HEAD'))) await unlinkDead(git, path, known);
    else if (!known.has(path)) await unlink(join(git.folder, path, '.git'));
  }
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
    if ((await gitAt(git, path).run(own)) === '') held.push(path);
  }
  if (held.length > 0) await updateSubmodules(git, held);
}

/**
 * git's own line. A remote may send a megabyte in one line, so the pattern begins at the beginning of a line alone, and takes
 * time in proportion to the text's length.
 */
const LACKED = /^(?:fatal: )?Fetched in submodule path '(.+)', but it did not contain ([0-9a-f]+)\./m;

/** git reports an unreachable remote like one that lacks the commit. Only the remote's output distinguishes them. */
export function lackedCommit(said: string, folder: string): Failure | undefined {
  const [, named, commitId] = LACKED.exec(said) ?? [];
  const path = named && join(folder, named);
  const refusals = /(?:not our ref|request for unadvertised object) ([0-9a-f]+)/g;
  const isRefused = [...said.matchAll(refusals)].some(([, refused]) => refused === commitId);
  if (path === undefined || commitId === undefined || !isRefused) return undefined;
  return new Failure('SUBMODULE_UNUSABLE', `The remote of the submodule ${path} has no commit ${commitId}.`, {
    details: { files: [path], commitId },
    next: nextStep(
      'push the commit in the submodule',
      [path],
      ', or set the submodule to one that its remote has; then repeat the command',
    ),
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
  throw new Failure('SUBMODULE_UNUSABLE', `git cannot read ${MODULES}: ${answer.stderr.trim()}.`, {
    details: { files: [MODULES] },
    next: nextStep('correct', [MODULES], 'on origin, then repeat the command'),
  });
}

/**
 * The paths of the checked-out submodules that a revision lacks. git's checkout leaves their files behind.
 *
 * @throws Failure FILES_IN_THE_WAY if one of them has files that no commit holds
 */
export async function submodulesNotIn(git: Git, revision: string): Promise<string[]> {
  return listLeaving(git, '.', revision);
}

/** The same for a folder. A revision that is not there yet keeps all. */
async function listLeaving(git: Git, folder: string, revision: string): Promise<string[]> {
  const here = await submodulesIn(git, folder);
  if (here.length === 0) return [];
  const asked = ['-C', folder, 'ls-tree', '-z', revision, '--', ...here];
  const answer = await gitAt(git, folder).try(asked);
  if (answer.code !== 0 && folder === '.') throw gitFailure(asked, answer);
  const staying = new Set(answer.code === 0 ? gitlinks(answer.stdout) : here);
  const leaving = here.filter((path) => !staying.has(path));
  for (const path of leaving) await requireNothingOwn(git, join(folder, path));
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

/** Takes out the submodules of a submodule that its next commit lacks, whose files git would leave behind. */
async function takeOutLeaving(git: Git, folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  const stage = ['--literal-pathspecs', '-C', folder, 'ls-files', '--stage', '-z', '--', name];
  const [, next = ''] = (await gitAt(git, folder).run(stage)).split(' ');
  const leaving = (await isThere(join(git.folder, path, '.git'))) ? await listLeaving(git, path, next) : [];
  for (const nested of leaving) await takeOut(git, path, nested);
}

/** @param folder in which the submodule is: the checkout, or another submodule */
async function takeOut(git: Git, folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  for (const nested of await submodulesIn(git, path)) await takeOut(git, path, nested);
  // An old git put the git folder of a submodule among its files.
  await gitAt(git, folder).run(['-C', folder, 'submodule', '--quiet', 'absorbgitdirs', '--', name]);
  const empty = (await git.run(['hash-object', '-t', 'tree', '--stdin'], '')).trim();
  await gitAt(git, path).run(['-C', path, 'read-tree', '-m', '-u', 'HEAD', empty]);
  // If core.worktree names a folder that does not exist, git refuses to work in the submodule's git folder.
  await gitAt(git, path).try(['-C', path, 'config', '--unset', 'core.worktree']);
  // Node's rm would empty the folder to which a link leads that it may not remove.
  await unlink(join(git.folder, path, '.git'));
}

/**
 * Puts back the files of submodules that the client was taking out when it was killed. They had no changes then. If a
 * file is not only absent but changed, it was changed since, and the submodule stays as it is.
 */
export async function resetTakenOut(git: Git, paths: readonly string[]): Promise<void> {
  for (const path of await filter(paths, (one) => isThere(join(git.folder, one, '.git')))) {
    const changed = [
      '-C',
      path,
      'diff',
      '--name-only',
      '--diff-filter=d',
      '--ignore-submodules=none',
      '-z',
      'HEAD',
    ];
    const there = gitAt(git, path);
    if ((await there.run(changed)) === '') await there.run(['-C', path, 'reset', '--quiet', '--hard']);
  }
}

/** Refuses files that no commit holds. Ignored ones count, because there may be no other copy of them. */
async function requireNothingOwn(git: Git, path: string): Promise<void> {
  if (await isMerelyCloned(git, path)) return;
  const status = ['status', '--porcelain', '--ignored', '--ignore-submodules=none', '--no-renames', '-z'];
  const entries = listed(await gitAt(git, path).run(['-C', path, ...status]));
  const files = entries.map((entry) => join(path, entry.slice(3)));
  if (files.length > 0) throw filesInTheWay(git, files);
  for (const nested of await submodulesIn(git, path)) await requireNothingOwn(git, join(path, nested));
}

/**
 * Whether a submodule was cloned, and nothing was ever checked out in it, because its remote lacks the commit. git calls every
 * file of its branch deleted then.
 */
async function isMerelyCloned(git: Git, path: string): Promise<boolean> {
  const names = await readdir(join(git.folder, path));
  return names.join() === '.git' && (await gitAt(git, path).run(['-C', path, 'ls-files'])) === '';
}
