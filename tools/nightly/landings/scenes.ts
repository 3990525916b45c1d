import { type Change, type Content, contentOf, type Entry } from './files';
import type { LandingPlan, Resolution } from './plan';
import { resolveAll } from './resolve';
import type { Planned, Workshop } from './workshop';

/** The ids of a plan's commits. Those of the branches are in order of creation. */
export interface Scene {
  plan: LandingPlan;
  /** Before the branches parted, the base last. */
  before: string[];
  ours: string[];
  theirs: string[];
  base: string;
  /** The target before the landing. */
  parent: string;
  source: string;
  /** Whether the source has merged a commit of the target, which is the base since. */
  hasMerged: boolean;
}

/** A commit with the merge of a source, with its conflicts decided. */
export interface Landed {
  commitId: string;
  tree: string;
}

/** Makes the commits before any landing. */
export async function makeScenes(workshop: Workshop, plans: readonly LandingPlan[]): Promise<Scene[]> {
  const scenes = plans.map((plan): Scene => ({
    plan,
    before: [],
    ours: [],
    theirs: [],
    base: '',
    parent: '',
    source: '',
    hasMerged: false,
  }));
  await grow(workshop, scenes, 'before');
  for (const scene of scenes) scene.base = scene.before.at(-1) as string;
  await grow(workshop, scenes, 'ours');
  await grow(workshop, scenes, 'theirs');
  for (const scene of scenes) {
    scene.parent = scene.ours.at(-1) ?? scene.base;
    scene.source = scene.theirs.at(-1) as string;
  }
  return scenes;
}

/** Adds one commit at a time to each branch, until all have theirs. */
async function grow(
  workshop: Workshop,
  scenes: readonly Scene[],
  branch: 'before' | 'ours' | 'theirs',
): Promise<void> {
  for (let step = 0; ; step += 1) {
    const growing = scenes.filter(({ plan }) => step < commitsOf(plan, branch));
    if (growing.length === 0) return;
    const commits = growing.map((scene): Planned => {
      const parent = scene[branch].at(-1) ?? (branch === 'before' ? undefined : scene.base);
      const content = contentAt(scene.plan, branch, step);
      return { parents: parent === undefined ? [] : [parent], content };
    });
    const ids = await workshop.commit(commits);
    for (const [index, scene] of growing.entries()) scene[branch].push(ids[index] as string);
  }
}

const commitsOf = (plan: LandingPlan, branch: 'before' | 'ours' | 'theirs'): number =>
  branch === 'before' ? plan.prior.length + 1 : plan[branch].length;

function contentAt(plan: LandingPlan, branch: 'before' | 'ours' | 'theirs', step: number): Content {
  const prior = plan.prior.flat();
  if (branch === 'before') return contentOf(plan.code, plan.prior.slice(0, step).flat());
  return contentOf(plan.code, [...prior, ...plan[branch].slice(0, step + 1).flat()]);
}

/** The content of a branch without some of its changes. */
export function contentWithout(
  plan: LandingPlan,
  branch: 'ours' | 'theirs',
  isLeftOut: (change: Change) => boolean,
): Content {
  const changes = [...plan.prior.flat(), ...plan[branch].flat()];
  return contentOf(
    plan.code,
    changes.filter((change) => !isLeftOut(change)),
  );
}

export interface LandingRequest {
  ours: string;
  theirs: string;
  /** The parents of the new commit. */
  parents: readonly string[];
  resolution: Resolution;
  /** The number that a decision's newly written lines carry. */
  number: number;
}

/** Merges, decides conflicts, and commits each result. */
export async function landAll(workshop: Workshop, requests: readonly LandingRequest[]): Promise<Landed[]> {
  const merges = await workshop.merge(requests.map(({ ours, theirs }) => [ours, theirs]));
  const open = merges.filter(({ clean }) => !clean).map(({ tree }) => tree);
  const contents = await workshop.contentsOf(open);
  const planned = merges.map((merge, index): Planned => {
    const request = requests[index] as LandingRequest;
    const content = contents.get(merge.tree) ?? new Map<string, Entry>();
    return { parents: request.parents, tree: merge.tree, changes: resolveAll(merge, content, request) };
  });
  const ids = await workshop.commit(planned);
  const trees = await workshop.treesOf(ids);
  return ids.map((commitId, index) => ({ commitId, tree: trees[index] as string }));
}
