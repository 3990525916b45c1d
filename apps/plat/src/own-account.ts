import { homedir, userInfo } from 'node:os';

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder above all others, which container runtimes give as HOME to a user that the system does not list. */
const UNKNOWN_HOME = '/';

/**
 * The home of the user who runs the process: HOME, otherwise as the system's list of users has it. A container may run as
 * a number that the list does not have; such a user is refused without HOME.
 */
export function ownHome(variables: Variables): string {
  return knownHome(variables) ?? UNKNOWN_HOME;
}

/** Undefined if HOME is not set, and the system does not list the user. */
export function knownHome({ HOME }: Variables): string | undefined {
  return HOME || listed(homedir);
}

/** The name of the user who runs the process, or its number if the system's list of users does not have it. */
export function ownName(): string {
  return listed(() => userInfo().username) ?? `user ${process.getuid?.()}`;
}

/** Undefined if the system does not list the user. */
function listed(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
