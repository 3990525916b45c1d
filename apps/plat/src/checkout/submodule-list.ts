import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git';
import { gitAt } from '../git/git-links';
import { listed } from '../git/listed';

export const MODULES = '.gitmodules';

/** The paths of a folder's submodules whose files are checked out. */
export async function submodulesIn(git: Git, folder: string): Promise<string[]> {
  const paths = [...(await namesByPath(git, folder)).keys()];
  return filter(paths, (path) => isThere(join(git.folder, folder, path, '.git')));
}

/** The paths of a folder's initialised submodules whose git folder is here, with or without their files. */
export async function listClonedIn(git: Git, folder: string): Promise<string[]> {
  const names = await namesByPath(git, folder);
  if (names.size === 0) return [];
  const asked = ['-C', folder, 'rev-parse', '--path-format=absolute', '--git-path', 'modules'];
  const there = gitAt(git, folder);
  const modules = (await there.run(asked)).replace(/\n$/, '');
  const isCloned = async (path: string) => {
    if (await isThere(join(git.folder, folder, path, '.git'))) return true;
    const name = names.get(path) ?? '';
    const url = await there.try(['-C', folder, 'config', '--get', `submodule.${name}.url`]);
    return url.code === 0 && isThere(join(modules, name, 'HEAD'));
  };
  return filter([...names.keys()], isCloned);
}

/**
 * The names of a folder's submodules by their paths. Only compares the paths in `.gitmodules` with the index, and
 * gives git none of them: git fails if a path is outside the checkout, and the system if it is very long.
 */
export async function namesByPath(git: Git, folder: string): Promise<Map<string, string>> {
  if (!(await isThere(join(git.folder, folder, MODULES)))) return new Map();
  const read = ['config', '--file', MODULES, '-z', '--get-regexp', '^submodule\\..*\\.path$'];
  const there = gitAt(git, folder);
  const { stdout } = await there.try(['-C', folder, ...read]);
  const recorded = new Set(gitlinks(await there.run(['-C', folder, 'ls-files', '--stage', '-z'])));
  const settings = stdout.split('\0').map((setting): [string, string] => {
    const [key = ''] = setting.split('\n', 1);
    return [setting.slice(key.length + 1), key.slice('submodule.'.length, -'.path'.length)];
  });
  return new Map(settings.filter(([path]) => recorded.has(path)));
}

export async function filter(
  paths: readonly string[],
  keeps: (path: string) => Promise<boolean>,
): Promise<string[]> {
  const kept = await Promise.all(paths.map(keeps));
  return paths.filter((_path, at) => kept[at]);
}

/** The paths of the submodules below a folder, and of those in them, from the top of the checkout. */
export async function submodulesBelow(git: Git, folder: string): Promise<string[]> {
  const paths = (await submodulesIn(git, folder)).map((path) => join(folder, path));
  const nested = await Promise.all(paths.map((path) => submodulesBelow(git, path)));
  return [...paths, ...nested.flat()];
}

/** The paths of the submodules among the entries that `ls-files --stage` or `ls-tree` lists. */
export function gitlinks(output: string): string[] {
  return listed(output)
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => entry.slice(entry.indexOf('\t') + 1));
}

export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
