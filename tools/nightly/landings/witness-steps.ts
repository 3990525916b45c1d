import type { WitnessRepository } from './witness-repository';

interface Asked {
  /** The reported commit and those before it, newest first. */
  chain: readonly string[];
  source: string;
  /** The commit before the reported one. */
  onto: string;
}

/**
 * The commits of a target that landed a source commit by commit: each is the clean, exact cherry-pick, onto the one before
 * it, of one or several consecutive commits of the source. Others' commits may lie between.
 *
 * @param mayBeThere whether the target may have had the changes of the source's first commits before: a rebase leaves these out
 * @returns undefined if the source did not land so
 */
export async function findSteps(
  repository: WitnessRepository,
  { chain, source, onto }: Asked,
  { mayBeThere = false } = {},
) {
  const own = ownCommits(repository, { source, onto });
  if (own === undefined || own.length < 2) return undefined;
  return stepsFrom(0, own.length);

  /** @param done how many of the source's commits have landed after this commit of the chain */
  async function stepsFrom(at: number, done: number): Promise<string[] | undefined> {
    const step = chain[at];
    if (step === undefined) return undefined;
    // The shortest steps come first: a squash of all after one of them is a step as well.
    for (let first = done - 1; first >= 0; first -= 1) {
      if (!(await isPick(step, { first: own?.[first] as string, last: own?.[done - 1] as string }))) continue;
      if (first === 0) return [step];
      if (mayBeThere && (await wasThere(step, first))) return [step];
      const earlier = await stepsFrom(at + 1, first);
      if (earlier !== undefined) return [step, ...earlier];
    }
    return at === 0 ? undefined : stepsFrom(at + 1, done);
  }

  /** Whether the target had what the first commits bring before a commit of it. */
  async function wasThere(step: string, count: number): Promise<boolean> {
    const [[before], [base]] = [repository.parentsOf(step), repository.parentsOf(own?.[0] as string)];
    if (before === undefined || base === undefined) return false;
    const pick = await repository.pick(base, { onto: before, last: own?.[count - 1] as string });
    return pick.clean && repository.areSame(pick.tree, repository.treeOf(before));
  }

  async function isPick(step: string, { first, last }: { first: string; last: string }): Promise<boolean> {
    const [before, ...others] = repository.parentsOf(step);
    const [base] = repository.parentsOf(first);
    if (before === undefined || others.length > 0 || base === undefined) return false;
    const [old, tree] = [repository.treeOf(before), repository.treeOf(step)];
    if (old === tree) return false;
    const pick = await repository.pick(base, { onto: before, last });
    return pick.clean && repository.areSame(pick.tree, tree);
  }
}

/** The source's commits along first parents that change something, oldest first; undefined if one of them is a merge. */
function ownCommits(
  repository: WitnessRepository,
  { source, onto }: { source: string; onto: string },
): string[] | undefined {
  const ofTarget = repository.historyOf(onto);
  const own: string[] = [];
  for (let at: string | undefined = source; at !== undefined && !ofTarget.has(at);) {
    const [parent, ...others] = repository.parentsOf(at);
    if (others.length > 0) return undefined;
    if (parent === undefined || repository.treeOf(parent) !== repository.treeOf(at)) own.unshift(at);
    at = parent;
  }
  return own;
}
