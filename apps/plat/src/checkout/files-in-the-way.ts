import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';

const SHOWN_MAX = 5;

/** The refusal of a checkout that would overwrite or remove files of which git has no copy. @param files their paths */
export function filesInTheWay({ folder }: Git, files: readonly string[]): Failure {
  const shown = files.slice(0, SHOWN_MAX).join(', ') + (files.length > SHOWN_MAX ? ', …' : '');
  return new Failure(
    'FILES_IN_THE_WAY',
    `The checkout ${folder} has files that the checkout of the commit would overwrite or remove: ${shown}.`,
    { details: { files }, next: 'move them elsewhere, then repeat the command' },
  );
}

export function isInTheWay(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'FILES_IN_THE_WAY';
}
