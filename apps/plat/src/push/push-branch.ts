import { type Git, gitFailure } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { shellQuote } from '../terminal/shell-quote';
import { linesOfRemote } from './push';

export interface BranchToPush {
  branch: string;
  /** Full id of the commit that origin's branch gets. */
  commitId: string;
}

export interface PushedBranch {
  /** `unchanged`: origin's branch was at the commit before. */
  pushed: 'created' | 'updated' | 'unchanged';
  /** The forge's messages, line by line. */
  remoteMessages: string[];
}

/** The flag of git's porcelain output: a new ref, a fast-forward, or nothing to do. */
const OUTCOMES: Readonly<Record<string, PushedBranch['pushed']>> = {
  '*': 'created',
  ' ': 'updated',
  '=': 'unchanged',
};

/**
 * Pushes one commit to origin's branch of the name, and nothing else. Forces nothing: git refuses a branch that has
 * commits which the commit lacks.
 *
 * @throws Failure PUSH_REJECTED, GIT_FAILED
 */
export async function pushBranch(git: Git, to: BranchToPush): Promise<PushedBranch> {
  const args = pushArguments(to);
  const answer = await git.try(args);
  const remoteMessages = linesOfRemote(answer.stderr);
  const [, flag = '', rejection] = /^(.)\t\S+\t(.+)$/m.exec(answer.stdout) ?? [];
  if (answer.code === 0) return { pushed: OUTCOMES[flag] ?? 'updated', remoteMessages };
  if (flag !== '!' || rejection === undefined) throw gitFailure(args, answer);
  const { branch, commitId } = to;
  const said = [rejection, ...remoteMessages].join('\n');
  throw new Failure('PUSH_REJECTED', `origin rejected the push of ${branch}: ${said}`, {
    details: { branch, commitId, rejection, remoteMessages },
    next: /fetch first|non-fast-forward/.test(rejection)
      ? nextStep(['git', 'pull', '--rebase', ORIGIN, branch], ', then repeat the command')
      : nextStep('follow the message of origin above; its administrators can change the rules for', [branch]),
  });
}

/** The command of the push, as `--dry-run` prints it. Rule G2. */
export function plannedBranchPush(to: BranchToPush): string {
  return shellQuote(['git', ...pushArguments(to)]);
}

/** `^0` makes the hash an expression, which no name of a ref can be. */
function pushArguments({ branch, commitId }: BranchToPush): string[] {
  const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no'];
  return ['push', ...options, ORIGIN, `${commitId}^0:refs/heads/${branch}`];
}
