import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnusable } from '../checkout/submodules';
import type { FailureCode } from '../error-codes/failure-code';
import { type Git, isOutputTooLarge } from '../git/git';
import { gitAt } from '../git/git-links';
import { listed } from '../git/listed';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import type { Skip } from './squash';
import { isMachineFault, shortened } from './tree-fault';

const GITLINK = '160000';
const REMOTE_FAILED: readonly FailureCode[] = ['GIT_FAILED', 'GIT_OUTPUT_TOO_LARGE', 'REMOTE_SILENT'];

/** Two commits of a repository. If `onto` is undefined, all of the commit is new. */
interface Compared {
  onto: string | undefined;
  commit: string;
}

/** A submodule that a commit adds or moves. */
interface Moved {
  path: string;
  /** The submodule's commit of before; undefined if it is new. */
  from: string | undefined;
  to: string;
  /** Whether the commit names the address that is cloned: the submodule is new, or has another address than before. */
  namesAddress: boolean;
}

/** `unknown`: a submodule lacks its commit, and any source could be met by that. None was cloned after it. */
type Finding = Skip | 'unknown' | undefined;

/**
 * Why a commit's source is skipped if its submodules could not be updated. Remotes refuse a commit in words of their own, and
 * git says the same of one that does not answer. So the source is at fault if its submodule is new and origin answers, so that
 * this machine has a network; or if the submodule's remote answers, and the commit did not come. Otherwise the same failure
 * could meet the target's own commit.
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
  const found = await findIn({ git, error }, '.', made);
  if (found === undefined || found === 'unknown') return undefined;
  return (await remoteAnswers(git, '.', [ORIGIN, 'HEAD'])) ? found : undefined;
}

/** A failed update of submodules. */
interface Failed {
  git: Git;
  error: Failure;
}

async function findIn(failed: Failed, folder: string, compared: Compared): Promise<Finding> {
  const { git, error } = failed;
  const uncloned: Moved[] = [];
  for (const moved of await listMoved(git, folder, compared)) {
    const path = join(folder, moved.path);
    if (!(await isThere(join(git.folder, path, '.git')))) {
      uncloned.push(moved);
      continue;
    }
    const found = await findInClone(failed, path, moved);
    if (found !== undefined) return found;
  }
  const [first] = uncloned.filter(({ namesAddress }) => namesAddress);
  if (first === undefined || !mayBeOfClones(error)) return undefined;
  const path = join(folder, first.path);
  return skipFor(path, `The submodule ${path} is new, and cannot be cloned`, error);
}

/** The update that clones new submodules is the last one, and goes through all of them. */
function mayBeOfClones({ details }: Failure): boolean {
  const { command } = (details ?? {}) as { command?: readonly string[] };
  return command === undefined || command.includes('--recursive');
}

async function findInClone(failed: Failed, path: string, { from, to }: Moved): Promise<Finding> {
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
  if (isMachineFault(error) || !(await remoteAnswers(there, path))) return 'unknown';
  return skipFor(path, `The remote of the submodule ${path} answers, and does not give commit ${to}`, error);
}

/** @param asked the remote and what of it; default: all of the usual one */
async function remoteAnswers(there: Git, path: string, asked: readonly string[] = []): Promise<boolean> {
  try {
    return (await there.try(['-C', path, 'ls-remote', '--quiet', ...asked])).code === 0;
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
      return mode === GITLINK
        ? [{ path: entry.slice(entry.indexOf('\t') + 1), from: undefined, to, namesAddress: true }]
        : [];
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
    const from = oldMode === GITLINK ? old : undefined;
    const isSame = addresses[0]!.get(path) === addresses[1]!.get(path);
    moved.push({ path, from, to, namesAddress: from === undefined || !isSame });
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
