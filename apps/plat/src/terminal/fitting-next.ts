import { Failure } from './failure';
import type { NextStep } from './next-step';

/** The next steps for a command that lacks the flag of a step shared with other commands, keyed by flag. */
const WITHOUT_FLAG: Readonly<Record<string, string>> = {
  repository: 'git remote set-url origin <full remote address>, then repeat the command',
  'source-branch': 'git switch <branch>, then repeat the command',
  'target-branch': 'let the administrators of origin name its default branch, then repeat the command',
  'commit-id': 'make a commit, then repeat the command',
  name: 'git commit --amend, with a subject, then repeat the command',
};

/** A flag that a next step offers for the command that failed, and not as part of another command. */
const OFFERED = /(?:repeat the command with|(?:or )?add) --([a-z-]+)(?: <[^>]+>)?(?:, as origin names it)?/;

/**
 * The failure with a next step that fits the command: steps are written where several commands meet, and one may lack the
 * flag that they offer.
 *
 * @param flags names of the command's flags
 */
export function withFittingNext(failure: Failure, flags: readonly string[]): Failure {
  const { code, message, next, details, brief, requestId, exitCode } = failure;
  const [offer, flag = ''] = OFFERED.exec(next ?? '') ?? [];
  if (next === undefined || offer === undefined || flags.includes(flag)) return failure;
  const other = WITHOUT_FLAG[flag];
  if (other === undefined) return failure;
  return new Failure(code, message, {
    details,
    brief,
    requestId,
    exitCode,
    // Both are next steps, of which one replaces a part of the other.
    next: next.replace(offer, other) as NextStep,
  });
}
