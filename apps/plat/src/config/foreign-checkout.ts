import { spawnSync } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FileRefused, readRegularFile } from '@plat/local';
import { childVariables } from '../environment';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** Longest file `.git` that is read, which holds one path. */
const LINK_BYTES_MAX = 8192;
/** Longest wait for git, which reads its settings alone. */
const ASKED_MILLISECONDS_MAX = 10_000;

/**
 * Refuses a checkout that git would refuse, because its folder, its `.git` or its git folder belongs to another user and no
 * `safe.directory` of this user names it. git alone decides on a checkout of another user. It is not asked about a checkout
 * that this user owns.
 *
 * @param root a folder that has a `.git`
 * @throws Failure CHECKOUT_OF_ANOTHER_USER
 */
export function requireOwnCheckout(root: string): void {
  if (placesOf(root).every(isOwn) || isTrustedByGit(root)) return;
  throw checkoutOfAnotherUser(root);
}

/** git reads no repository whose folder another user owns, unless the person trusts it. */
export function checkoutOfAnotherUser(path: string): Failure {
  return new Failure(
    'CHECKOUT_OF_ANOTHER_USER',
    `The checkout ${path} belongs to another user, so git does not work in it.`,
    {
      details: { path },
      next: nextStep(
        'if you trust its content:',
        ['git', 'config', '--global', '--add', 'safe.directory', path],
        '; otherwise work in a clone of your own',
      ),
    },
  );
}

/** The folders and files whose owners git compares. */
function placesOf(root: string): string[] {
  const link = join(root, '.git');
  return [root, link, ...linked(root, link)];
}

/** The git folder that a file `.git` names. */
function linked(root: string, link: string): string[] {
  try {
    const text = readRegularFile(link, { bytesMax: LINK_BYTES_MAX }).toString('utf8');
    const named = /^gitdir: (.+?)[\r\n]*$/.exec(text)?.[1];
    return named === undefined ? [] : [resolve(root, named)];
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return [];
  }
}

/** If root runs by sudo, what the user who called it owns counts as root's own, as in git. */
function isOwn(path: string): boolean {
  const own = process.geteuid?.();
  if (own === undefined) return true;
  const uid = ownerOf(path);
  if (uid === undefined || uid === own) return true;
  return own === 0 && uid.toString() === childVariables({}).SUDO_UID;
}

/** Undefined if the place cannot be looked at: git cannot use it either. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}

function isTrustedByGit(root: string): boolean {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--show-toplevel'], {
    cwd: root,
    env: childVariables({}),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: ASKED_MILLISECONDS_MAX,
  });
  // git passes over a `.git` that is no repository, and finds the one above it.
  return status === 0 && isSame(stdout.replace(/\n$/, ''), root);
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
