import type { Environment } from '../environment';
import { knownHome, ownName } from '../own-account';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/**
 * Checks that the user has a home: the client keeps its files there, and so do git and the other programs that it starts.
 *
 * @throws Failure NO_HOME_FOLDER
 */
export function requireHome({ variables }: Environment): void {
  if (knownHome(variables) !== undefined) return;
  throw new Failure('NO_HOME_FOLDER', `The system does not list ${ownName()}, and HOME is not set.`, {
    next: nextStep('set HOME to a folder of that user'),
  });
}
