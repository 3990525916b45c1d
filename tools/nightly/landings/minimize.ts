import type { Change } from './files';
import type { LandingPlan } from './plan';

/** Says of each plan whether its landing still gets the wrong verdict. */
export type StillWrong = (plans: readonly LandingPlan[]) => Promise<boolean[]>;

/**
 * The smallest plan that is still wrong, by leaving out one part after the other: commits, changes, files and blocks of
 * code. It ends because each step leaves something out.
 */
export async function minimize(plan: LandingPlan, stillWrong: StillWrong): Promise<LandingPlan> {
  for (let smallest = plan; ;) {
    const candidates = simplerPlans(smallest);
    const answers = await stillWrong(candidates);
    const found = candidates[answers.indexOf(true)];
    if (found === undefined) return smallest;
    smallest = found;
  }
}

/** The plans without one part, those without the largest parts first. A source keeps a commit. */
export function simplerPlans(plan: LandingPlan): LandingPlan[] {
  const { prior, ours, theirs, code } = plan;
  return [
    ...without(prior).map((left) => ({ ...plan, prior: left })),
    ...without(ours).map((left) => ({ ...plan, ours: left })),
    ...(theirs.length > 1 ? without(theirs) : []).map((left) => ({ ...plan, theirs: left })),
    ...withoutChange(prior).map((left) => ({ ...plan, prior: left })),
    ...withoutChange(ours).map((left) => ({ ...plan, ours: left })),
    ...withoutChange(theirs).map((left) => ({ ...plan, theirs: left })),
    ...code.flatMap((blocks, at) => (blocks.length > 0 ? [{ ...plan, code: code.with(at, []) }] : [])),
    ...code.flatMap((blocks, at) => without(blocks).map((left) => ({ ...plan, code: code.with(at, left) }))),
  ];
}

const without = <Part>(parts: readonly Part[]): Part[][] => parts.map((_, at) => parts.toSpliced(at, 1));

/** Without one change of a commit that has several. */
function withoutChange(commits: readonly Change[][]): Change[][][] {
  return commits.flatMap((changes, at) =>
    changes.length > 1 ? without(changes).map((left) => commits.with(at, left)) : [],
  );
}
