import { commitOf } from '../checkout/checkout';
import type { TargetHistory } from '../landings/target-history';
import { nextStep } from '../terminal/next-step';

const SHORT_LENGTH = 10;

/**
 * Returns the commands that make a branch with a landing's change on the target, and propose it.
 *
 * @param commitIds newest first
 */
export async function landAgain(
  { git, remote, targetBranch }: Pick<TargetHistory, 'git' | 'remote' | 'targetBranch'>,
  commitIds: readonly string[],
): Promise<string[] | undefined> {
  const [newest] = commitIds;
  if (newest === undefined) return undefined;
  const isHere = (await commitOf(git, newest)) !== undefined;
  const isMerge = isHere && (await commitOf(git, `${newest}^2`)) !== undefined;
  const branch = `reland/${newest.slice(0, SHORT_LENGTH)}`;
  const picked = [...(isMerge ? ['-m', '1'] : []), ...commitIds.toReversed()];
  return [
    nextStep(['git', 'fetch', remote, ...(isHere ? [] : [newest])]),
    nextStep(['git', 'switch', '--no-track', '-c', branch, `${remote}/${targetBranch}`]),
    nextStep(['git', 'cherry-pick', '-x', ...picked]),
    nextStep('plat submit'),
  ];
}
