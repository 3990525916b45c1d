import { type Git, type GitAnswer, gitFailure } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { requireSourcesUnchanged, type SourceTip } from '../origin/source-tips';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { printableText, withoutCredentials } from '../terminal/printable';
import { shellQuote } from '../terminal/shell-quote';
import { withoutBranchHook } from './branch-hook';
import { lookAtTip } from './gate-refs';
import { isAncestor } from './landing';

export interface Push {
  targetBranch: string;
  /** Full id of the commit that the target branch now points to. */
  commitId: string;
  /** Whether the target had the commit before. */
  upToDate: boolean;
  /** The forge's messages, line by line. A bypass of its rules is announced here. */
  remoteMessages: string[];
}

export interface PushInput {
  targetBranch: string;
  /** Full id of the commit to push, which later changes of branch and checkout do not affect. */
  commitId: string;
  /** Origin's target when the commit was made; undefined if it is unknown here. */
  onto?: string | undefined;
  /** The sources of the merge, which still have to be at the tips that were merged; undefined if unknown here. */
  sources?: readonly SourceTip[];
}

/**
 * Pushes one commit onto origin's target branch, which has to be an ancestor of it. Creates no branch, forces nothing,
 * and pushes nothing else. The sources are read from origin again directly before the push. Spec: Client, plat exec
 * push; Rules G7 and 0016.
 *
 * @param note called if a hook of the branch is left out
 * @throws Failure NO_SUCH_TARGET, PUSH_REJECTED, SOURCE_MOVED, SOURCE_DELETED, PUSHED_OTHER, PUSHED_ELSEWHERE,
 *   SHALLOW_CHECKOUT, GIT_FAILED
 */
export async function push(git: Git, input: PushInput, note: (line: string) => void): Promise<Push> {
  const { targetBranch, commitId, sources = [] } = input;
  const seen = await lookAtTip(git, ORIGIN, targetBranch);
  if (seen === undefined) throw noSuchTarget(input);
  if (await isAncestor(git, commitId, seen)) {
    return { targetBranch, commitId, upToDate: true, remoteMessages: [] };
  }
  await requireBelow(git, input, seen);
  await requireSourcesUnchanged(git, { targetBranch, sources });
  const args = await withoutBranchHook(git, pushArguments(input, seen), note);
  const answer = await git.try(args);
  const remoteMessages = linesOfRemote(answer.stderr);
  if (answer.code === 0) {
    const upToDate = requirePushed(answer, input);
    await requireOnOrigin(git, input);
    return { targetBranch, commitId, upToDate, remoteMessages };
  }
  const rejection = /^!\t\S+\t(.+)$/m.exec(answer.stdout)?.[1];
  if (rejection === undefined) throw gitFailure(args, answer);
  const said = [rejection, ...remoteMessages].join('\n');
  throw new Failure('PUSH_REJECTED', `origin rejected the push to ${targetBranch}: ${said}`, {
    details: { targetBranch, commitId, rejection, remoteMessages },
    next: nextAfter(rejection, targetBranch),
  });
}

/** The command of the push, as `--dry-run` prints it. Rule G2. */
export function plannedPush(input: PushInput): string[] {
  return [shellQuote(['git', ...pushArguments(input, '<tip of origin>')])];
}

/**
 * The push of one commit to origin's branch, which fails if the branch is no longer where it was last read. A plain
 * push would create a deleted branch again, and would move a branch that was set back. A refspec takes a ref, such as
 * a tag, that has the hash as its name before the commit; `^0` makes the hash an expression, which no ref name can be.
 *
 * @param seen an ancestor of the commit, so the lease forces nothing here
 */
function pushArguments({ targetBranch, commitId }: PushInput, seen: string): string[] {
  const target = `refs/heads/${targetBranch}`;
  const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no'];
  return ['push', ...options, `--force-with-lease=${target}:${seen}`, ORIGIN, `${commitId}^0:${target}`];
}

/**
 * @throws Failure PUSH_REJECTED if origin's target is no ancestor of the commit, or was set back from the merge's base
 */
async function requireBelow(git: Git, { targetBranch, commitId, onto }: PushInput, seen: string) {
  const goesOn = await isAncestor(git, seen, commitId);
  if (goesOn && (onto === undefined || (await isAncestor(git, onto, seen)))) return;
  const why = goesOn
    ? `set back from ${onto ?? ''}, onto which the merge was made`
    : `which is not an ancestor of ${commitId}`;
  throw new Failure(
    'PUSH_REJECTED',
    `${targetBranch} has moved on origin: it is at ${seen}, ${why}. Nothing was pushed.`,
    {
      details: { targetBranch, commitId, onto, seenCommit: seen, rejection: 'moved', remoteMessages: [] },
      next: mergeAgain(targetBranch),
    },
  );
}

function noSuchTarget({ targetBranch, commitId }: PushInput): Failure {
  const make = ['git', 'push', ORIGIN, `${commitId}^0:refs/heads/${targetBranch}`];
  return new Failure('NO_SUCH_TARGET', `origin has no branch ${targetBranch}, and none is made.`, {
    details: { targetBranch, commitId },
    next: nextStep(
      'repeat the command with --target-branch <branch>, as origin names it; to make the branch:',
      make,
    ),
  });
}

function mergeAgain(targetBranch: string): NextStep {
  return nextStep(
    'plat exec gate-merge --target-branch',
    [targetBranch],
    '--source <branch>, on the target as it is now',
  );
}

/**
 * Next step by git's reason in brackets: gate again if the branch moved, but not if a hook or a rule declined the push.
 */
function nextAfter(rejection: string, targetBranch: string): NextStep {
  if (
    /fetch first|non-fast-forward|stale info|reference already exists|failed to update ref/.test(rejection)
  ) {
    return mergeAgain(targetBranch);
  }
  return nextStep('follow the message of origin above; its administrators can change the rules for', [
    targetBranch,
  ]);
}

/** Compares origin's acknowledgment with the pushed commit. @returns whether origin had it before */
function requirePushed({ stdout }: GitAnswer, { targetBranch, commitId }: PushInput): boolean {
  if (/^=\t/m.test(stdout)) return true;
  const pushed = /^ \t\S+\t[0-9a-f]+\.\.([0-9a-f]+)$/m.exec(stdout)?.[1];
  if (pushed === commitId) return false;
  const what = pushed ?? 'nothing that git names';
  throw new Failure(
    'PUSHED_OTHER',
    `${commitId} should have been pushed to ${targetBranch}, but ${what} was.`,
    {
      details: { targetBranch, commitId, pushedCommit: pushed },
      next: nextStep(
        'git fetch',
        [ORIGIN],
        [targetBranch],
        ', and check the branch before you push anything else',
      ),
    },
  );
}

/**
 * If origin has another address for pushes than for fetches, checks that the commit is also at the one for fetches:
 * the two may be different repositories, and the service reads the one for fetches.
 */
async function requireOnOrigin(git: Git, { targetBranch, commitId }: PushInput): Promise<void> {
  const addresses = (...which: string[]) => git.run(['remote', 'get-url', ...which, '--all', ORIGIN]);
  const [read, written] = [await addresses(), await addresses('--push')];
  if (read === written) return;
  const tip = await lookAtTip(git, ORIGIN, targetBranch);
  if (tip !== undefined && (await isAncestor(git, commitId, tip))) return;
  const pushed = written.trimEnd().split('\n').map(withoutCredentials);
  throw new Failure(
    'PUSHED_ELSEWHERE',
    `${commitId} was pushed to ${pushed.join(' and ')}, but ${targetBranch} of origin, as it is fetched, is at ${tip ?? 'no commit'}.`,
    {
      details: { targetBranch, commitId, seenCommit: tip, pushAddresses: pushed },
      next: nextStep(
        'if the two addresses are one repository, repeat the command in a moment; otherwise correct the address for pushes: git remote set-url --push',
        [ORIGIN],
        '<address>',
      ),
    },
  );
}

/** The messages of the remote in what git push printed, line by line. */
export function linesOfRemote(stderr: string): string[] {
  return printableText(stderr)
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .map((line) => line.slice('remote:'.length).trim())
    .filter((line) => line !== '');
}
