import { join } from 'node:path';
import type { Git } from '../git/git';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';
import type { Skip } from './squash';

/** Reasons of the system that concern this machine or the network, and no commit. They end a line of git. */
const MACHINE_FAULT =
  /: (?:No space left on device|Disk quota exceeded|Read-only file system|Input\/output error|Cannot allocate memory|Too many open files|Permission denied|Operation not permitted|Resource temporarily unavailable)\.?$/m;
/** A git at work, or one that was killed, has left its lock. */
const LOCKED = /\.lock': File exists/;
/** A filter such as git-lfs cannot reach its server, may not read there, or is answered with a fault of the server. */
const NETWORK_FAULT =
  /could not resolve host|connection (?:refused|reset|timed out)|dial tcp|network is unreachable|i\/o timeout|authentication required|batch response: fatal error/i;

const FAULTS = [MACHINE_FAULT, LOCKED, NETWORK_FAULT];

/** The file in which a branch names its git-lfs server. */
const LFS_SETTINGS = '.lfsconfig';

/** Whether git failed because of this machine, by what git itself says. A remote's own words are left out. */
export function isMachineFault({ message }: Failure): boolean {
  const said = message.replace(/^remote: .*$/gm, '');
  return MACHINE_FAULT.test(said) || LOCKED.test(said);
}

/**
 * Whether git failed because of the files of a commit, such as a name that is too long, a path that git forbids, or a
 * file whose filter fails. A checkout of the commit then fails again and again.
 */
export function isTreeFault(error: unknown): error is Failure {
  if (!(error instanceof Failure) || error.code !== 'GIT_FAILED') return false;
  return !FAULTS.some((fault) => fault.test(error.message));
}

/**
 * Why a commit's source is skipped if git failed because of its files; undefined for any other failure. Files by whose names
 * git's message looks like one about the machine or the network, as with `dial tcp/git~1`, do not keep that from being seen,
 * nor does a server of git-lfs that the source itself names.
 *
 * @param onto the commit below, whose files are not at fault
 */
export async function findTreeFault(
  git: Git,
  { onto, commit }: { onto: string; commit: string },
  error: unknown,
): Promise<Skip | undefined> {
  if (isTreeFault(error)) return describeTreeFault(error);
  if (!(error instanceof Failure) || error.code !== 'GIT_FAILED') return undefined;
  const names = listed(await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', onto, commit]));
  const files = names.filter(
    (name) => name.toLowerCase() === LFS_SETTINGS || FAULTS.some((fault) => fault.test(`: ${name}`)),
  );
  return files.length === 0 ? undefined : { ...describeTreeFault(error), files };
}

/** Whether git could not check a commit out. Other steps of a checkout use the network. */
export function isOfCheckout(error: unknown): error is Failure {
  if (!(error instanceof Failure) || error.code !== 'GIT_FAILED') return false;
  const { command } = error.details as { command?: string[] };
  return command?.[1] === 'checkout';
}

/** The reason for which a source is skipped. */
function describeTreeFault(failure: Failure): Skip {
  return { reason: 'unusable', detail: shortened(failure) };
}

/** The first lines of what git said, as a detail of a skip. */
export function shortened({ message }: Failure): string {
  const said = /failed: ([^]*)$/.exec(message)?.[1] ?? message;
  const lines = said.split('\n').slice(0, SHOWN_MAX);
  return lines.map((line) => cut(line, LINE_CHARACTERS_MAX)).join('; ');
}

/** Longest name of a file, in bytes, on the common file systems. */
const NAME_BYTES_MAX = 255;
/** Longest path that the system accepts, in bytes. */
const PATH_BYTES_MAX = process.platform === 'linux' ? 4095 : 1023;

/**
 * Finds files that a commit adds and that cannot be checked out next to the others. Found before the checkout, because git
 * would leave folders behind that few programs can remove, or would report files as changed at once.
 *
 * @param onto a commit whose own files are not the commit's fault
 * @returns why the source is skipped; undefined if there are none
 */
export async function findUnusablePaths(
  git: Git,
  { onto, commit }: { onto: string; commit: string },
): Promise<Skip | undefined> {
  const compared = ['-r', '-z', '--no-renames', '--name-only', '--diff-filter=A'];
  const added = listed(await git.run(['diff-tree', ...compared, onto, commit]));
  const long = added.filter((path) => isTooLong(git.folder, path));
  if (long.length > 0) return { reason: 'unusable', files: long, detail: `too long: ${shown(long)}` };
  const colliding = await findCollisions(git, commit, added);
  if (colliding.length === 0) return undefined;
  const detail = `names that are one name on this machine: ${shown(colliding)}`;
  return { reason: 'unusable', files: colliding, detail };
}

function isTooLong(folder: string, path: string): boolean {
  if (Buffer.byteLength(join(folder, path)) > PATH_BYTES_MAX) return true;
  return path.split('/').some((name) => Buffer.byteLength(name) > NAME_BYTES_MAX);
}

/** The added files that the file system does not distinguish from others of the commit. */
async function findCollisions(git: Git, commit: string, added: readonly string[]): Promise<string[]> {
  const setting = ['config', '--type=bool', '--default=false', 'core.ignoreCase'];
  if (added.length === 0 || (await git.run(setting)).trim() !== 'true') return [];
  const names = new Map<string, Set<string>>();
  for (const path of listed(await git.run(['ls-tree', '-r', '-z', '--name-only', commit]))) {
    for (const part of partsOf(path)) {
      names.set(keyOf(part), (names.get(keyOf(part)) ?? new Set()).add(part));
    }
  }
  const collides = (part: string) => (names.get(keyOf(part))?.size ?? 0) > 1;
  return added.filter((path) => partsOf(path).some(collides));
}

/** Two names with one key are one name on a file system that ignores case and composition. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

/** The path, and the folders above it. */
function partsOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_name, at) => names.slice(0, at + 1).join('/'));
}

const SHOWN_MAX = 3;
const SHOWN_CHARACTERS_MAX = 60;
const LINE_CHARACTERS_MAX = 300;

function shown(paths: readonly string[]): string {
  const some = paths.slice(0, SHOWN_MAX).map((path) => cut(path, SHOWN_CHARACTERS_MAX));
  return some.join(', ') + (paths.length > SHOWN_MAX ? ', …' : '');
}

const cut = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;
