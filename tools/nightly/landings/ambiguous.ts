import type { Content } from './files';
import type { Resolution } from './plan';
import type { Decisions } from './resolve';
import { landAll } from './scenes';
import type { Sound } from './sound';
import type { Workshop } from './workshop';

/**
 * Sound landings that a person decided by hand, and whose content a faulty landing could have as well: a squash on a
 * wrong base, each file of it decided in the same way or for the source, or each conflict of it that the sound landing has
 * too decided as there, has the same files, or the landing of an earlier
 * commit of the source has one of them. No rule distinguishes them.
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
  const older = decided.flatMap((each) => each.older.map((ours) => ({ each, ours })));
  const landAs = (resolution: Resolution | 'planned', areKnown = false) =>
    landAll(
      workshop,
      older.map(({ each, each: { scene }, ours }) => ({
        ours,
        theirs: scene.source,
        parents: [ours],
        resolution: resolution === 'planned' ? scene.plan.resolution : resolution,
        number: scene.plan.choice,
        known: areKnown ? decisionsOf(each) : undefined,
      })),
    );
  // A person may decide one file in the one way and another file in the other one.
  const made = [await landAs('planned'), await landAs('the source'), await landAs('planned', true)];
  const parents = await workshop.treesOf(decided.map(({ parent }) => parent));
  const trees = await workshop.treesOf(older.map(({ ours }) => ours));
  const all = [...decided, ...made.flat().filter((each) => each !== undefined)].map(({ tree }) => tree);
  const contents = await workshop.contentsOf([...new Set(all)]);
  return older.flatMap(({ each }, index) => {
    const isParent = trees[index] === parents[decided.indexOf(each)];
    const ways = made.flatMap((way) => contents.get(way[index]?.tree ?? '') ?? []);
    const landed = contents.get(each.tree);
    const paths = new Set([landed, ...ways].flatMap((content) => [...(content?.keys() ?? [])]));
    const isMade = [...paths].every((path) =>
      ways.some((content) => textAt(content, path) === textAt(landed, path)),
    );
    return !isParent && isMade ? [each] : [];
  });
}

const decisionsOf = ({ decided }: Sound): Decisions =>
  new Map([...decided.values()].flatMap(({ decisions = new Map() }) => [...decisions]));

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
