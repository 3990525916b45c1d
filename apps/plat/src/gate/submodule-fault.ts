import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../terminal/failure';
import { type Git, isOutputTooLarge } from './git';
import { gitAt } from './git-links';
import { listed } from './listed';
import type { Skip } from './squash';
import { isUnusable } from './submodules';
import { isMachineFault, shortened } from './tree-fault';

const GITLINK = '160000';
const REMOTE_FAILED: readonly string[] = ['GIT_FAILED', 'GIT_OUTPUT_TOO_LARGE', 'REMOTE_SILENT'];

/** Two commits of a repository. If `onto` is undefined, all of the commit is new. */
interface Compared {
  onto: string | undefined;
  commit: string;
}

/** A submodule that a commit adds or moves. */
interface Moved {
  path: string;
  /** The submodule's commit of before; undefined if it is new, or has another address. */
  from: string | undefined;
  to: string;
}

/**
 * Why a commit's source is skipped if its submodules could not be updated. Remotes refuse a commit in words of their own, and
 * git says the same of one that does not answer. So the source is at fault if its submodule is new, or if the remote answers
 * and the commit did not come. Otherwise the same failure could meet the target's own commit.
 *
 * @param onto the commit below, whose submodules are checked out
 * @returns undefined for any other failure
 */
export async function findSubmoduleFault(
  git: Git,
  made: { onto: string; commit: string },
  error: unknown,
): Promise<Skip | undefined> {
  if (isUnusable(error)) {
    const { files } = error.details as { files: string[] };
    return { reason: 'submodule', files, detail: error.message };
  }
  if (!(error instanceof Failure) || !REMOTE_FAILED.includes(error.code)) return undefined;
  const { command } = (error.details ?? {}) as { command?: readonly string[] };
  if (command !== undefined && !command.includes('submodule')) return undefined;
  return findIn({ git, error }, '.', made);
}

/** A failed update of submodules. */
interface Failed {
  git: Git;
  error: Failure;
}

async function findIn(failed: Failed, folder: string, compared: Compared): Promise<Skip | undefined> {
  const { git, error } = failed;
  for (const moved of await listMoved(git, folder, compared)) {
    const path = join(folder, moved.path);
    const fault = (await isThere(join(git.folder, path, '.git')))
      ? await findInClone(failed, path, moved)
      : findUncloned(path, moved, error);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** git names the submodules that it cannot clone. One that nobody has initialised stays away without a failure. */
function findUncloned(path: string, { from }: Moved, error: Failure): Skip | undefined {
  const isNamed = error.code === 'REMOTE_SILENT' || error.message.includes(path);
  if (from !== undefined || !isNamed) return undefined;
  return skipFor(path, `The submodule ${path} is new, and cannot be cloned`, error);
}

async function findInClone(failed: Failed, path: string, { from, to }: Moved): Promise<Skip | undefined> {
  const { git, error } = failed;
  const there = gitAt(git, path);
  const has = async (commit: string) =>
    (await there.try(['-C', path, 'cat-file', '-e', `${commit}^{commit}`])).code === 0;
  if (await has(to)) {
    const onto = from !== undefined && (await has(from)) ? from : undefined;
    return findIn(failed, path, { onto, commit: to });
  }
  if (from === undefined) {
    return skipFor(path, `The submodule ${path} is new, and has no commit ${to}`, error);
  }
  if (isMachineFault(error) || !(await remoteAnswers(there, path))) return undefined;
  return skipFor(path, `The remote of the submodule ${path} answers, and does not give commit ${to}`, error);
}

async function remoteAnswers(there: Git, path: string): Promise<boolean> {
  try {
    return (await there.try(['-C', path, 'ls-remote', '--quiet'])).code === 0;
  } catch (error) {
    if (isOutputTooLarge(error)) return true;
    if (error instanceof Failure && error.code === 'REMOTE_SILENT') return false;
    throw error;
  }
}

function skipFor(path: string, what: string, error: Failure): Skip {
  return { reason: 'submodule', files: [path], detail: `${what}: ${shortened(error)}` };
}

async function listMoved(git: Git, folder: string, { onto, commit }: Compared): Promise<Moved[]> {
  const there = gitAt(git, folder);
  if (onto === undefined) {
    const all = listed(await there.run(['-C', folder, 'ls-tree', '-r', '-z', '--full-tree', commit]));
    return all.flatMap((entry) => {
      const [mode, , to = ''] = entry.split(/[ \t]/, 3);
      return mode === GITLINK ? [{ path: entry.slice(entry.indexOf('\t') + 1), from: undefined, to }] : [];
    });
  }
  const raw = [
    '-C',
    folder,
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--ignore-submodules=none',
  ];
  const fields = listed(await there.run([...raw, onto, commit]));
  const addresses = await Promise.all([onto, commit].map((one) => readAddresses(there, folder, one)));
  const moved: Moved[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode, mode, old = '', to = ''] = fields[at]!.slice(1).split(' ');
    if (mode !== GITLINK) continue;
    const path = fields[at + 1]!;
    const isSame = oldMode === GITLINK && addresses[0]!.get(path) === addresses[1]!.get(path);
    moved.push({ path, from: isSame ? old : undefined, to });
  }
  return moved;
}

/** The addresses of a commit's submodules, by their paths. */
async function readAddresses(there: Git, folder: string, commit: string): Promise<Map<string, string>> {
  const read = [
    'config',
    '--blob',
    `${commit}:.gitmodules`,
    '-z',
    '--get-regexp',
    '^submodule\\..*\\.(path|url)$',
  ];
  const named = new Map<string, { path?: string; url?: string }>();
  for (const setting of (await there.try(['-C', folder, ...read])).stdout.split('\0')) {
    const [, name, field] = /^submodule\.([^]*)\.(path|url)$/.exec(setting.split('\n', 1)[0] ?? '') ?? [];
    if (name === undefined || field === undefined) continue;
    const value = setting.slice(setting.indexOf('\n') + 1);
    named.set(name, { ...named.get(name), [field]: value });
  }
  return new Map([...named.values()].map(({ path = '', url = '' }) => [path, url]));
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
