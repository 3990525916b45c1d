import type { Content } from './files';
import { landAll } from './scenes';
import type { Sound } from './sound';
import type { Workshop } from './workshop';

/**
 * Sound landings that a person decided by hand, and whose content a faulty landing could have as well: a squash on a
 * wrong base, decided in the same way or for the source, has the same tree, or the landing of an earlier commit of the
 * source has the same file. No rule distinguishes them.
 */
export async function findAmbiguous(
  workshop: Workshop,
  sound: readonly Sound[],
): Promise<ReadonlySet<Sound>> {
  const decided = sound.filter(({ isClean }) => !isClean);
  return new Set([
    ...(await asOnWrongBase(workshop, decided)),
    ...(await asOfEarlierSource(workshop, decided)),
  ]);
}

async function asOnWrongBase(workshop: Workshop, decided: readonly Sound[]): Promise<Sound[]> {
  const older = decided.flatMap((each) => {
    const resolutions = new Set([each.scene.plan.resolution, 'the source'] as const);
    return each.older.flatMap((ours) => [...resolutions].map((resolution) => ({ each, ours, resolution })));
  });
  const parents = await workshop.treesOf(decided.map(({ parent }) => parent));
  const trees = await workshop.treesOf(older.map(({ ours }) => ours));
  const made = await landAll(
    workshop,
    older.map(({ each, ours, resolution }) => {
      const { source, plan } = each.scene;
      return { ours, theirs: source, parents: [ours], resolution, number: plan.choice };
    }),
  );
  return older.flatMap(({ each }, index) => {
    const isParent = trees[index] === parents[decided.indexOf(each)];
    return !isParent && made[index]?.tree === each.tree ? [each] : [];
  });
}

async function asOfEarlierSource(workshop: Workshop, decided: readonly Sound[]): Promise<Sound[]> {
  const earlier = decided.flatMap((each) =>
    each.scene.theirs.slice(0, -1).map((theirs) => ({ each, theirs })),
  );
  const made = await landAll(
    workshop,
    earlier.map(({ each: { parent, scene }, theirs }) => {
      const { resolution, choice: number } = scene.plan;
      return { ours: parent, theirs, parents: [parent], resolution, number };
    }),
  );
  const sources = await workshop.treesOf(decided.map(({ scene }) => scene.source));
  const before = await workshop.treesOf(earlier.map(({ theirs }) => theirs));
  const landed = [...decided, ...made.filter((each) => each !== undefined)].map(({ tree }) => tree);
  const contents = await workshop.contentsOf([...new Set([...sources, ...before, ...landed])]);
  const at = (tree: string | undefined, path: string) => textAt(contents.get(tree ?? ''), path);
  return earlier.flatMap(({ each }, index) => {
    const source = sources[decided.indexOf(each)];
    const other = made[index];
    const isOfEarlier = (path: string) =>
      at(each.tree, path) === at(other?.tree, path) &&
      at(each.tree, path) !== at(source, path) &&
      at(before[index], path) !== at(source, path);
    return other !== undefined && [...each.decided.keys()].some(isOfEarlier) ? [each] : [];
  });
}

const textAt = (content: Content | undefined, path: string): string | undefined => {
  const entry = content?.get(path);
  return entry && `${entry.mode} ${entry.content}`;
};
