import { Failure } from '../terminal/failure';
import { printableText } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import { commitOf, currentBranch, ORIGIN } from './checkout';
import { gitFailure, type Git, type GitAnswer } from './git';

export interface Push {
  targetBranch: string;
  /** Full id of the commit that the target branch now points to. */
  commitId: string;
  /** Whether the target had the commit before. */
  upToDate: boolean;
  /** What the forge said, line by line: a bypass of its rules is announced here. */
  remoteMessages: string[];
}

/**
 * Pushes the checked-out target branch to origin, plainly: nothing is forced, and nothing else is pushed.
 * Spec: Client, plat exec push; Decision G7.
 *
 * @throws Failure BRANCH_MISMATCH, PUSH_REJECTED, GIT_FAILED
 */
export async function push(git: Git, targetBranch: string): Promise<Push> {
  const commitId = await requireCheckedOut(git, targetBranch);
  const args = pushArguments(targetBranch);
  const answer = await git.try(args);
  const remoteMessages = linesOfRemote(answer.stderr);
  if (answer.code === 0) return { targetBranch, commitId, upToDate: isUpToDate(answer), remoteMessages };
  const rejection = /^!\t\S+\t(.+)$/m.exec(answer.stdout)?.[1];
  if (rejection === undefined) throw gitFailure(args, answer);
  const said = [rejection, ...remoteMessages].join('\n');
  throw new Failure('PUSH_REJECTED', `origin rejected the push to ${targetBranch}: ${said}`, {
    details: { targetBranch, commitId, rejection, remoteMessages },
    next: 'plat exec gate-merge, on the target as it is now',
  });
}

/** The command of the push, as `--dry-run` prints it. Decision G2. */
export async function plannedPush(git: Git, targetBranch: string): Promise<string[]> {
  await requireCheckedOut(git, targetBranch);
  return [shellQuote(['git', ...pushArguments(targetBranch)])];
}

/** The push of one branch to origin, to the branch of its name. */
export function pushArguments(targetBranch: string): string[] {
  const ref = `refs/heads/${targetBranch}`;
  return ['push', '--porcelain', '--no-follow-tags', '--recurse-submodules=no', ORIGIN, `${ref}:${ref}`];
}

async function requireCheckedOut(git: Git, targetBranch: string): Promise<string> {
  const branch = await currentBranch(git);
  const commitId = await commitOf(git, `refs/heads/${targetBranch}`);
  if (branch === targetBranch && commitId !== undefined) return commitId;
  const there = branch === undefined ? 'no branch (HEAD is detached)' : branch;
  throw new Failure(
    'BRANCH_MISMATCH',
    `The checkout is on ${there}, not on the target branch ${targetBranch}.`,
    {
      details: { targetBranch, ...(branch === undefined ? {} : { branch }) },
      next: 'plat exec gate-merge, which checks out the target branch with the merge',
    },
  );
}

function isUpToDate({ stdout }: GitAnswer): boolean {
  return /^=\t/m.test(stdout);
}

function linesOfRemote(stderr: string): string[] {
  return printableText(stderr)
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter((line) => line !== '');
}
