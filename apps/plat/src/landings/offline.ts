import { commitOf } from '../checkout/checkout';
import { type Git, gitLike } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** git refuses every transport then, also where it would fetch by itself what a partial clone lacks. */
const NO_TRANSPORT = { GIT_ALLOW_PROTOCOL: '' };

/** git in the same folder, which contacts no remote. */
export const offline = (git: Git): Git => gitLike(git, git.interrupted, NO_TRANSPORT);

/**
 * The default branch of a remote, as the clone has it.
 *
 * @throws Failure NO_TARGET_BRANCH
 */
export async function readTrackedDefaultBranch(git: Git, remote: string): Promise<string> {
  const beginning = `refs/remotes/${remote}/`;
  const { code, stdout } = await git.try(['symbolic-ref', '--quiet', `${beginning}HEAD`]);
  const ref = stdout.trim();
  if (code === 0 && ref.startsWith(beginning)) return ref.slice(beginning.length);
  throw new Failure('NO_TARGET_BRANCH', `This clone does not know the default branch of ${remote}.`, {
    next: nextStep(
      'repeat the command with --target-branch <branch>, or first: git remote set-head',
      [remote],
      '--auto',
    ),
  });
}

/**
 * The tip of a remote's branch when the clone was last brought up to date.
 *
 * @throws Failure NO_SUCH_TARGET
 */
export async function readTrackedTip(git: Git, remote: string, branch: string): Promise<string> {
  const ref = `refs/remotes/${remote}/${branch}`;
  const tip = await commitOf(git, ref);
  if (tip !== undefined) return tip;
  throw new Failure('NO_SUCH_TARGET', `This clone has no ${ref}, and no remote is asked.`, {
    next: nextStep('git fetch', [remote], ', then repeat the command'),
  });
}
