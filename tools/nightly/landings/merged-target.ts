import { landAll, type Scene } from './scenes';
import type { Workshop } from './workshop';

/** One review in so many has a source that merged the target. The plan does not say so: the plans of a seed stay the same. */
const EVERY = 13;

interface Merging {
  scene: Scene;
  /** The index of the last source commit before the merge, and of the target's commit that is merged. */
  at: number;
  target: number;
  /** The source's commits from the merge on. */
  made: string[];
}

/**
 * Merges a commit of the target into the source of some reviews, and makes the later commits of the source again on the
 * merge. The merged commit is the merge base then.
 */
export async function mergeTarget(workshop: Workshop, scenes: readonly Scene[]): Promise<void> {
  const chosen = scenes.flatMap((scene): Merging[] => {
    const { plan, ours, theirs } = scene;
    if (plan.choice % EVERY !== 0 || ours.length === 0) return [];
    const target = Math.floor(plan.choice / EVERY) % ours.length;
    return [{ scene, at: plan.choice % theirs.length, target, made: [] }];
  });
  await mergeAll(workshop, chosen);
  for (let growing = chosen; growing.length > 0;) {
    for (const { scene, at, target, made } of growing) {
      if (at + made.length < scene.theirs.length) continue;
      scene.theirs = [...scene.theirs.slice(0, at + 1), ...made];
      scene.before.push(...scene.ours.splice(0, target + 1));
      scene.base = scene.before.at(-1) as string;
      scene.source = made.at(-1) as string;
      scene.hasMerged = true;
    }
    growing = growing.filter(({ scene }) => !scene.hasMerged);
    await pickNext(workshop, growing);
  }
}

async function mergeAll(workshop: Workshop, chosen: readonly Merging[]): Promise<void> {
  const merges = await landAll(
    workshop,
    chosen.map(({ scene: { plan, ours, theirs }, at, target }) => {
      const sides = { ours: theirs[at] as string, theirs: ours[target] as string };
      const { resolution, choice } = plan;
      // The decided lines differ from those that a conflict of the landing is decided with.
      return { ...sides, parents: [sides.ours, sides.theirs], resolution, number: choice + 10_000 };
    }),
  );
  for (const [index, { commitId }] of merges.entries()) chosen[index]?.made.push(commitId);
}

/** Makes each source's next commit again, as a cherry-pick does. */
async function pickNext(workshop: Workshop, growing: readonly Merging[]): Promise<void> {
  const trees = await workshop.treesOf(growing.map(({ made }) => made.at(-1) as string));
  const last = growing.map(({ scene, at, made }) => scene.theirs[at + made.length - 1] as string);
  const picks = await workshop.commit(
    growing.map((_, index) => ({ parents: [last[index] as string], tree: trees[index] as string })),
  );
  const landed = await landAll(
    workshop,
    growing.map(({ scene, at, made }, index) => ({
      ours: picks[index] as string,
      theirs: scene.theirs[at + made.length] as string,
      parents: [made.at(-1) as string],
      resolution: 'the source',
      number: scene.plan.choice,
    })),
  );
  for (const [index, { commitId }] of landed.entries()) growing[index]?.made.push(commitId);
}
