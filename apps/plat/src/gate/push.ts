import { Failure } from '../terminal/failure';
import { printableText } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import { gitFailure, type Git, type GitAnswer } from './git';
import { ORIGIN } from './origin';

export interface Push {
  targetBranch: string;
  /** Full id of the commit that the target branch now points to. */
  commitId: string;
  /** Whether the target had the commit before. */
  upToDate: boolean;
  /** What the forge said, line by line: a bypass of its rules is announced here. */
  remoteMessages: string[];
}

export interface PushInput {
  targetBranch: string;
  /** Full id of what is pushed: whatever happens to branch and checkout meanwhile, it is this. */
  commitId: string;
}

/**
 * Pushes one commit to origin's target branch, plainly: nothing is forced, and nothing else is pushed.
 * Spec: Client, plat exec push; Decision G7.
 *
 * @throws Failure PUSH_REJECTED, GIT_FAILED
 */
export async function push(git: Git, input: PushInput): Promise<Push> {
  const args = pushArguments(input);
  const answer = await git.try(args);
  const remoteMessages = linesOfRemote(answer.stderr);
  if (answer.code === 0) return { ...input, upToDate: requirePushed(answer, input), remoteMessages };
  const rejection = /^!\t\S+\t(.+)$/m.exec(answer.stdout)?.[1];
  if (rejection === undefined) throw gitFailure(args, answer);
  const said = [rejection, ...remoteMessages].join('\n');
  const { targetBranch } = input;
  throw new Failure('PUSH_REJECTED', `origin rejected the push to ${targetBranch}: ${said}`, {
    details: { ...input, rejection, remoteMessages },
    next: nextAfter(rejection, targetBranch),
  });
}

/** The command of the push, as `--dry-run` prints it. Decision G2. */
export function plannedPush(input: PushInput): string[] {
  return [shellQuote(['git', ...pushArguments(input)])];
}

/**
 * The push of one commit to origin's branch. In a refspec a ref of that name goes before the hash, such as a tag that is
 * called like the commit; `^0` makes it an expression, which no ref is called.
 */
export function pushArguments({ targetBranch, commitId }: PushInput): string[] {
  const refspec = `${commitId}^0:refs/heads/${targetBranch}`;
  const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no'];
  return ['push', ...options, ORIGIN, refspec];
}

/** git gives the reason in brackets: a branch that moved is gated again, what a hook or a rule declined is not. */
function nextAfter(rejection: string, targetBranch: string): string {
  if (/fetch first|non-fast-forward|stale info|reference already exists|failed to update ref/.test(rejection))
    return `plat exec gate-merge --target-branch ${targetBranch} --source <branch>, on the target as it is now`;
  return `do what origin says above; its rules for ${targetBranch} decide, and who runs it changes them`;
}

/** What origin acknowledged is compared with what was to be pushed. @returns whether origin had it before */
function requirePushed({ stdout }: GitAnswer, { targetBranch, commitId }: PushInput): boolean {
  if (/^=\t/m.test(stdout)) return true;
  const pushed = /^[ *]\t\S+\t(?:[0-9a-f]+\.\.([0-9a-f]+)$|\[new)/m.exec(stdout);
  if (pushed && (pushed[1] ?? commitId) === commitId) return false;
  const what = pushed?.[1] ?? 'nothing that git names';
  throw new Failure('PUSHED_OTHER', `${commitId} was to be pushed to ${targetBranch}, and ${what} was.`, {
    details: { targetBranch, commitId, pushedCommit: pushed?.[1] },
    next: `git fetch ${ORIGIN} ${targetBranch}, and look at what is there before anything else is pushed`,
  });
}

function linesOfRemote(stderr: string): string[] {
  return printableText(stderr)
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter((line) => line !== '');
}
