import { defaultBranch, repositoryOfCheckout, requireHeadCommit } from '../checkout/checkout';
import { type Git, gitFailure } from '../git/git';
import { requireIdentity } from '../git/identity';
import { isSigning, requireSigning } from '../git/signing';
import { nextAfterUntrustedRemote } from '../git/untrusted-remote';
import { ORIGIN } from '../origin/origin';
import { lookAtTip } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { chooseFolder, isWorktree } from '../worktree/drive-worktree';

/** A requirement of a drive that a person can look at by themselves, too. */
export interface ReadinessCheck {
  name: 'identity' | 'signing' | 'origin' | 'worktree' | 'remote';
  /** @returns what was found; undefined if there is nothing to look at. @throws Failure with the next step */
  look(): Promise<string | undefined>;
}

export interface ReadinessInput {
  /** Default: origin's own. */
  targetBranch?: string;
  configFolder: string;
}

/**
 * Lists the checks of the checkout, the person and origin that a drive needs to make, sign and push a merge. A drive
 * makes them before any review is read, and `plat doctor` does so in the same words.
 */
export function readinessChecks(git: Git, input: ReadinessInput): ReadinessCheck[] {
  return [
    { name: 'identity', look: () => requireIdentity(git) },
    { name: 'signing', look: () => checkSigning(git) },
    { name: 'origin', look: () => repositoryOfCheckout(git) },
    { name: 'worktree', look: () => worktree(git, input.configFolder) },
    { name: 'remote', look: () => remote(git, input.targetBranch) },
  ];
}

/** @throws the failure of the first check that fails */
export async function requireReadiness(git: Git, input: ReadinessInput): Promise<void> {
  for (const { look } of readinessChecks(git, input)) await look();
}

/** @throws Failure CANNOT_SIGN */
async function checkSigning(git: Git): Promise<string | undefined> {
  if (!(await isSigning(git))) return undefined;
  await requireSigning(git, await requireHeadCommit(git));
  return 'a commit can be signed';
}

async function worktree(git: Git, configFolder: string): Promise<string> {
  const folder = await chooseFolder(git, configFolder);
  return (await isWorktree(git, folder)) ? folder : `${folder}, which the first drive makes`;
}

/** @throws Failure REMOTE_UNREADABLE, NO_SUCH_TARGET, SIGNED_PUSH_UNSUPPORTED, PUSH_REFUSED */
async function remote(git: Git, named: string | undefined): Promise<string> {
  const branch = named ?? (await defaultBranch(git));
  const tip = await lookAtTip(git, ORIGIN, branch).catch(unreadable);
  if (tip === undefined) {
    throw new Failure('NO_SUCH_TARGET', `origin has no branch ${branch}.`, {
      details: { targetBranch: branch },
      next: 'repeat the command with --target-branch <branch>, as origin names it',
    });
  }
  await requirePushAllowed(git, branch, tip);
  return `${branch} is at ${tip}, and origin takes pushes from here as far as a dry run shows`;
}

function unreadable(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'GIT_FAILED') throw error;
  const said = /failed: ([^]*)$/.exec(error.message)?.[1] ?? error.message;
  throw new Failure('REMOTE_UNREADABLE', `origin cannot be read: ${said}`, {
    details: error.details ?? {},
    next:
      nextAfterUntrustedRemote(said) ??
      nextStep(['git', 'ls-remote', ORIGIN], ', until it lists the branches; then repeat the command'),
  });
}

/** Pushes nothing: the branch is at that tip. No hook of the person is run, because there is nothing to examine. */
async function requirePushAllowed(git: Git, branch: string, tip: string): Promise<void> {
  const options = ['--dry-run', '--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'];
  const args = ['push', ...options, ORIGIN, `${tip}^0:refs/heads/${branch}`];
  const answer = await git.try(args);
  // The branch may have moved since it was read, which is no refusal.
  if (answer.code === 0 || /^!\t/m.test(answer.stdout)) return;
  const said = answer.stderr.trim() || gitFailure(args, answer).message;
  if (said.includes('does not support --signed push')) {
    throw new Failure(
      'SIGNED_PUSH_UNSUPPORTED',
      'push.gpgSign says that pushes are signed here, and origin takes no signed pushes.',
      { next: 'git config push.gpgSign if-asked, then repeat the command' },
    );
  }
  throw new Failure('PUSH_REFUSED', `origin takes no pushes from here: ${said}`, {
    details: { targetBranch: branch },
    next: nextStep('sign in to origin as a user who may push to', [branch], ', then repeat the command'),
  });
}
