import type { FailureCode } from '../error-codes/failure-code';
import { REMOTE_COMMANDS } from '../git/git';
import { Failure } from '../terminal/failure';

/** Failures about what is in the worktree. */
const CODES: readonly FailureCode[] = [
  'DIRTY_TREE',
  'HIDDEN_FILES',
  'FILES_IN_THE_WAY',
  'CHECKOUT_NOT_RESTORED',
];
/** Errors of a folder whose owner closed it, or is another user, such as the one of a container. */
const CLOSED: readonly unknown[] = ['EACCES', 'EPERM'];
/** A line of git about such a file. ssh names the ways of signing in behind such words. */
const CLOSED_TO_GIT = /: (?:Permission denied|Operation not permitted)\.?$/m;

/**
 * Whether a step in the worktree of drives may have failed because of what gates left there. git says many things of a folder
 * that is closed, also that a file in it is changed, so only what git does with a remote is left out.
 */
export function isWorktreeFault(error: unknown): boolean {
  if (!(error instanceof Failure)) return CLOSED.includes((error as NodeJS.ErrnoException).code);
  if (CODES.includes(error.code)) return true;
  if (error.code !== 'GIT_FAILED') return false;
  const { command = [] } = error.details as { command?: readonly string[] };
  return CLOSED_TO_GIT.test(error.message) || !command.some((word) => REMOTE_COMMANDS.includes(word));
}
