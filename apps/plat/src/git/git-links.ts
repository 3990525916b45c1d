import { lstatSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FileRefused, readRegularFile } from '@plat/local';
import { Failure } from '../terminal/failure';
import { type Git, gitIn } from './git';
import { isWithin } from './is-within';
import { listed } from './listed';

/** A `.git` file holds one path. */
const BYTES_MAX = 16 * 1024;

/** git finds the repository of a folder by this name. In a worktree and in a submodule it is a file with a path. */
const LINK = '.git';

/**
 * The git folder that the `.git` file of a folder names.
 *
 * @param inside a folder without links around it; the file is below no link
 * @returns undefined if there is no such file, or if it is of another form, such as a pipe, a folder or a link
 */
export function readGitLink(inside: string, path = '.'): string | undefined {
  const folder = join(inside, path);
  const text = readBounded(join(folder, LINK), inside);
  const [, named] = /^gitdir: (.+?)\n*$/.exec(text ?? '') ?? [];
  return named === undefined ? undefined : resolve(folder, named);
}

function readBounded(path: string, inside: string): string | undefined {
  try {
    return readRegularFile(path, { bytesMax: BYTES_MAX, inside, mayBeLink: false }).toString('utf8');
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}

/** Whether both name one place that exists. */
export function isSamePlace(one: string, other: string): boolean {
  const [left, right] = [realPath(one), realPath(other)];
  return left !== undefined && left === right;
}

/** The path without links; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** A submodule that the index records. */
export interface Gitlink {
  /** From the top of the checkout. */
  path: string;
  /** git in the submodule; the arguments begin with `-C <path>`. */
  git: Git;
}

/**
 * The submodules whose files are checked out, with those in them.
 *
 * @throws Failure CHECKOUT_MOVED if code of a gate has replaced the `.git` of one
 */
export async function listCheckedOutSubmodules(git: Git, path = '.'): Promise<Gitlink[]> {
  const found: Gitlink[] = [];
  for (const module of await gitlinksIn(git, path)) {
    if (isAbsent(git, module)) continue;
    found.push({ path: module, git: gitAt(git, module) }, ...(await listCheckedOutSubmodules(git, module)));
  }
  return found;
}

async function gitlinksIn(git: Git, path: string): Promise<string[]> {
  const entries = listed(await gitAt(git, path).run(['-C', path, 'ls-files', '--stage', '-z']));
  return entries
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => join(path, entry.slice(entry.indexOf('\t') + 1)));
}

/** A file that cannot be looked at, in a folder that a gate closed, counts as there. */
function isAbsent({ folder }: Git, path: string): boolean {
  try {
    return lstatSync(join(folder, path, LINK), { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/**
 * git for commands that begin with `-C <path of a submodule>`. In a worktree of drives it gets the git folder of the
 * submodule by name, as git wrote it.
 *
 * @throws Failure CHECKOUT_MOVED if code of a gate has replaced the `.git` of the submodule
 */
export function gitAt(git: Git, path: string): Git {
  const own = git.variables.GIT_DIR;
  if (own === undefined || path === '.') return git;
  const moduleFolder = readModuleFolder(git.folder, own, path);
  if (moduleFolder === undefined) throw altered(git, [join(path, LINK)]);
  const variables = { GIT_DIR: moduleFolder, GIT_WORK_TREE: join(git.folder, path) };
  return gitIn(git.folder, git.interrupted, variables);
}

/**
 * The git folder that a submodule's `.git` names, if git can have written it: git keeps all of them in a folder of the
 * worktree's own, outside of the worktree.
 */
function readModuleFolder(folder: string, own: string, path: string): string | undefined {
  const modules = realPath(join(own, 'modules'));
  const named = readGitLink(folder, path);
  const found = named === undefined ? undefined : realPath(named);
  if (modules === undefined || found === undefined || !isWithin(found, modules)) return undefined;
  // git leaves a `.git` that leads to no repository if it may not clone the submodule there.
  return realPath(join(found, 'HEAD')) === undefined ? undefined : found;
}

/**
 * The `.git` of a worktree of drives, and of its submodules, that are not as git wrote them. Code of a gate can replace
 * them, and git runs commands that the settings of a repository name. Reads them without git.
 *
 * @returns their paths; empty in any other checkout, whose whole git folder is in reach of its gate
 */
export async function findAlteredLinks(git: Git): Promise<string[]> {
  const own = git.variables.GIT_DIR;
  if (own === undefined) return [];
  const link = readGitLink(git.folder);
  if (link === undefined || !isSamePlace(link, own)) return [LINK];
  return findAlteredIn(git, own, '.');
}

async function findAlteredIn(git: Git, own: string, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const module of await gitlinksIn(git, path)) {
    if (isAbsent(git, module)) continue;
    if (readModuleFolder(git.folder, own, module) === undefined) found.push(join(module, LINK));
    else found.push(...(await findAlteredIn(git, own, module)));
  }
  return found;
}

/** @throws Failure CHECKOUT_MOVED if code of a gate has replaced a `.git` in the worktree of drives */
export async function requireUnalteredLinks(git: Git): Promise<void> {
  const files = await findAlteredLinks(git);
  if (files.length > 0) throw altered(git, files);
}

function altered({ folder }: Git, files: readonly string[]): Failure {
  return new Failure(
    'CHECKOUT_MOVED',
    `A gate replaced files by which git finds its repository: ${files.join(', ')} in ${folder}. Nothing was pushed.`,
    {
      details: { folder, files },
      next: 'look at what the gate of the branch does, and run no git in that folder; then repeat the command, which makes the worktree again',
    },
  );
}
