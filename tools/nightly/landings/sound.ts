import type { Content, Entry } from './files';
import type { LandingWay } from './plan';
import { landAll, type Landed, type LandingRequest, type Scene } from './scenes';
import type { Workshop } from './workshop';

/** A landing as people make it. Some of its conflicts may be decided otherwise than the source has it. */
export interface Sound extends Landed {
  scene: Scene;
  way: LandingWay;
  /** The reported commit, and the merge before it in its queue, if one is given. */
  reported: string;
  anchor?: string | undefined;
  /** The landed commit's first parent. */
  parent: string;
  /** The target's commits before that one, newest first, back to the base. */
  older: string[];
}

/** Leaves out a squash that would bring nothing. */
export async function landSoundly(workshop: Workshop, scenes: readonly Scene[]): Promise<Sound[]> {
  const plain = await landAll(workshop, scenes.map(squashOf));
  const before = await workshop.treesOf(scenes.map(({ parent }) => parent));
  const sound = scenes.flatMap((scene, index): Sound[] => {
    const landed = plain[index] as Landed;
    // An empty commit does not show what it landed.
    if (landed.tree === before[index] && scene.plan.landing !== 'merge') return [];
    const { parent } = scene;
    const older = [...scene.ours.slice(0, -1).reverse(), ...(scene.ours.length > 0 ? [scene.base] : [])];
    const way = scene.plan.landing === 'merge' ? 'merge' : 'squash';
    return [{ ...landed, scene, way, reported: landed.commitId, anchor: anchorOf(scene), parent, older }];
  });
  await landAgain(workshop, sound);
  await landInSteps(workshop, sound);
  await landAfter(workshop, sound);
  await format(workshop, sound);
  return sound;
}

/** None, the target before the landing, or an older commit of it, so that others' commits lie between. */
function anchorOf({ plan, parent, ours, base }: Scene): string | undefined {
  return [undefined, parent, parent, ours.at(-2) ?? base][Math.floor(plan.choice / 3) % 4];
}

const squashOf = ({ plan, parent, source }: Scene): LandingRequest => ({
  ours: parent,
  theirs: source,
  parents: plan.landing === 'merge' ? [parent, source] : [parent],
  resolution: plan.resolution,
  number: plan.choice,
});

const wanted = (sound: readonly Sound[], ...ways: LandingWay[]): Sound[] =>
  sound.filter(({ scene }) => ways.includes(scene.plan.landing));

/** Reverts the squash and lands it again. */
async function landAgain(workshop: Workshop, sound: readonly Sound[]): Promise<void> {
  const again = wanted(sound, 'second landing');
  const before = await workshop.treesOf(again.map(({ parent }) => parent));
  const reverts = await workshop.commit(
    again.map(({ commitId }, index) => ({ parents: [commitId], tree: before[index] as string })),
  );
  const second = await workshop.commit(
    again.map(({ tree }, index) => ({ parents: [reverts[index] as string], tree })),
  );
  for (const [index, each] of again.entries()) {
    const parent = reverts[index] as string;
    const commitId = second[index] as string;
    const older = [each.commitId, each.parent, ...each.older];
    Object.assign(each, { way: 'second landing', parent, commitId, reported: commitId, older });
  }
}

/**
 * Lands commit by commit, or the first ones in one commit and the last ones in another. A cherry-pick is made as a
 * merge with a commit that has the target's tree, but the source's last landed commit as its parent.
 */
async function landInSteps(workshop: Workshop, sound: readonly Sound[]): Promise<void> {
  let walking = wanted(sound, 'rebase', 'stacked').flatMap((each) => {
    const { theirs, plan } = each.scene;
    if (theirs.length < 2 || each.scene.hasMerged) return [];
    const first = 1 + (plan.choice % (theirs.length - 1));
    const stops =
      plan.landing === 'rebase' ? theirs.map((_, index) => index) : [first - 1, theirs.length - 1];
    return [{ each, stops, at: each.parent, done: -1, older: each.older }];
  });
  for (let step = 0; walking.length > 0; step += 1) {
    const trees = await workshop.treesOf(walking.map(({ at }) => at));
    const picks = await workshop.commit(
      walking.map(({ each: { scene }, done }, index) => ({
        parents: [scene.theirs[done] ?? scene.base],
        tree: trees[index] as string,
      })),
    );
    const landed = await landAll(
      workshop,
      walking.map(({ each: { scene }, stops, at }, index) => ({
        ours: picks[index] as string,
        theirs: scene.theirs[stops[step] as number] as string,
        parents: [at],
        resolution: 'the source',
        number: scene.plan.choice,
      })),
    );
    walking = walking.flatMap((walk, index) => {
      const made = landed[index] as Landed;
      // A landing with a step that brings nothing is left to the plain squash.
      if (made.tree === trees[index]) return [];
      const older = [walk.at, ...walk.older];
      if (step < walk.stops.length - 1) {
        return [{ ...walk, at: made.commitId, done: walk.stops[step] as number, older }];
      }
      const { each } = walk;
      const way = each.scene.plan.landing;
      Object.assign(each, { ...made, way, parent: walk.at, reported: made.commitId, older: walk.older });
      return [];
    });
  }
}

/** Lands another commit afterwards, and reports that one. */
async function landAfter(workshop: Workshop, sound: readonly Sound[]): Promise<void> {
  const followed = wanted(sound, 'empty commit after', 'another commit after');
  const after: Entry = { mode: '100644', content: 'of someone else\n' };
  const reported = await workshop.commit(
    followed.map(({ commitId, tree, scene }) => ({
      parents: [commitId],
      tree,
      changes: new Map(scene.plan.landing === 'empty commit after' ? [] : [['after', after]]),
    })),
  );
  for (const [index, each] of followed.entries()) {
    Object.assign(each, { way: each.scene.plan.landing, reported: reported[index] });
  }
}

/** Formats the landed content: indents some lines otherwise, and changes quotes. */
async function format(workshop: Workshop, sound: readonly Sound[]): Promise<void> {
  const formatted = wanted(sound, 'formatted');
  const contents = await workshop.contentsOf(formatted.map(({ tree }) => tree));
  const commits = await workshop.commit(
    formatted.map(({ tree, parent }) => ({
      parents: [parent],
      tree,
      changes: formattedOf(contents.get(tree) as Content),
    })),
  );
  const trees = await workshop.treesOf(commits);
  for (const [index, each] of formatted.entries()) {
    const commitId = commits[index] as string;
    Object.assign(each, { way: 'formatted', commitId, reported: commitId, tree: trees[index] });
  }
}

function formattedOf(content: Content): Map<string, Entry> {
  const code = [...content].filter(([path]) => path.endsWith('.ts'));
  return new Map(
    code.map(([path, entry]): [string, Entry] => [
      path,
      { ...entry, content: entry.content.replace(/^ {2}/gm, '\t').replaceAll("'", '"') },
    ]),
  );
}
