import { homedir, userInfo } from 'node:os';
import { Failure } from './terminal/failure';
import { nextStep } from './terminal/next-step';

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder above all others, which container runtimes give as HOME to a user that the system does not list. */
const UNKNOWN_HOME = '/';

/**
 * The home of the user who runs the process: HOME, otherwise as the system's list of users has it. A container may run as
 * a number that the list does not have; `requireHome` refuses such a user without HOME.
 */
export function ownHome({ HOME }: Variables = process.env): string {
  return HOME || listed(homedir) || UNKNOWN_HOME;
}

/** The name of the user who runs the process, or its number if the system's list of users does not have it. */
export function ownName(): string {
  return listed(() => userInfo().username) ?? `user ${process.getuid?.()}`;
}

/**
 * Checks that the user has a home: the client keeps its files there, and so do git and the other programs that it starts.
 *
 * @throws Failure NO_HOME_FOLDER
 */
export function requireHome({ HOME }: Variables = process.env): void {
  if (HOME || listed(homedir)) return;
  throw new Failure('NO_HOME_FOLDER', `The system does not list ${ownName()}, and HOME is not set.`, {
    next: nextStep('set HOME to a folder of that user'),
  });
}

/** Undefined if the system does not list the user. */
function listed(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
