import { Editor, EDITORS } from './editor';
import type { Content } from './files';
import { type Operator, OPERATORS } from './operators';
import { contentWithout, landAll, type Landed, type LandingRequest } from './scenes';
import type { Sound } from './sound';
import type { Planned, Workshop } from './workshop';

/** Changes of the target of which each is reverted in a landing of its own. */
const REVERTS = 2;

/** A landing with one fault more than the sound one. */
export interface Corrupt {
  sound: Sound;
  operator: Operator;
  commitId: string;
}

/** Applies each operator to each of the landings, if it can be applied and changes the content. */
export async function corruptAll(
  workshop: Workshop,
  sound: readonly Sound[],
  operators: ReadonlySet<Operator> = new Set(OPERATORS),
): Promise<Corrupt[]> {
  const merged = await byMerging(workshop, sound, operators);
  const edited = await byEditing(workshop, sound, operators);
  const afterwards = operators.has(AFTERWARDS) ? await bySpoiling(workshop, sound) : [];
  const all = [...merged, ...edited, ...afterwards];
  const trees = await workshop.treesOf(all.map(({ commitId }) => commitId));
  return all.filter(({ sound: { tree } }, index) => trees[index] !== tree);
}

const AFTERWARDS: Operator = 'spoiled afterwards';
const SPOILING: ReadonlySet<Operator> = new Set(['hunk of the source dropped']);

/** Lands soundly, and then drops a hunk of the source in a commit of its own, which is reported. */
async function bySpoiling(workshop: Workshop, sound: readonly Sound[]): Promise<Corrupt[]> {
  const edited = await byEditing(workshop, sound, SPOILING);
  const trees = await workshop.treesOf(edited.map(({ commitId }) => commitId));
  const ids = await workshop.commit(
    edited.map(({ sound: { commitId } }, index) => ({ parents: [commitId], tree: trees[index] as string })),
  );
  return edited.map(({ sound: each }, index) => ({
    sound: each,
    operator: AFTERWARDS,
    commitId: ids[index] as string,
  }));
}

interface Remerged {
  sound: Sound;
  operator: Operator;
  request: LandingRequest;
}

/** Merges other commits than the right ones, and lands the result in place of the right one. */
async function byMerging(
  workshop: Workshop,
  sound: readonly Sound[],
  operators: ReadonlySet<Operator>,
): Promise<Corrupt[]> {
  const remerged = [
    ...sound.flatMap((each) => [...ontoOlder(each), ...ofFirstCommits(each)]),
    ...(await ontoBefore(workshop, sound)),
    ...(await ofVariants(workshop, sound)),
  ].filter(({ operator }) => operators.has(operator));
  const landed = await landAll(
    workshop,
    remerged.map(({ request }) => request),
  );
  return remerged.map(({ sound: each, operator }, index) => {
    return { sound: each, operator, commitId: (landed[index] as Landed).commitId };
  });
}

function requestFor({ scene, parent, way }: Sound, sides: { ours: string; theirs: string }): LandingRequest {
  const { plan, source } = scene;
  const parents = way === 'merge' ? [parent, source] : [parent];
  return { ...sides, parents, resolution: plan.resolution, number: plan.choice };
}

function ontoOlder(sound: Sound): Remerged[] {
  const { scene, older } = sound;
  const ours = older[scene.plan.choice % Math.max(1, older.length)];
  if (ours === undefined) return [];
  return [{ sound, operator: 'wrong base', request: requestFor(sound, { ours, theirs: scene.source }) }];
}

/** Merges onto an older commit than the merge base, as a cherry-pick of the whole source does. */
async function ontoBefore(workshop: Workshop, sound: readonly Sound[]): Promise<Remerged[]> {
  const chosen = sound.flatMap((each) => {
    const { before, plan } = each.scene;
    const older = before.slice(0, -1);
    const id = older[plan.choice % Math.max(1, older.length)];
    return id === undefined ? [] : [{ each, id }];
  });
  const trees = await workshop.treesOf(chosen.map(({ id }) => id));
  const ids = await workshop.commit(
    chosen.map(({ each }, index) => ({ parents: [each.scene.base], tree: trees[index] as string })),
  );
  return chosen.map(({ each }, index) => ({
    sound: each,
    operator: 'base before the branches parted',
    request: requestFor(each, { ours: ids[index] as string, theirs: each.scene.source }),
  }));
}

function ofFirstCommits(sound: Sound): Remerged[] {
  const { scene, parent } = sound;
  const first = scene.theirs[scene.plan.choice % Math.max(1, scene.theirs.length - 1)];
  if (scene.theirs.length < 2 || first === undefined) return [];
  const request = requestFor(sound, { ours: parent, theirs: first });
  return [{ sound, operator: 'first commits only', request }];
}

/** Commits variants of the branches with something left out, and pairs them with the other side. */
async function ofVariants(workshop: Workshop, sound: readonly Sound[]): Promise<Remerged[]> {
  const planned = sound.flatMap((each) => [...withoutCommit(each), ...withoutWork(each)]);
  const ids = await workshop.commit(planned.map(({ commit }) => commit));
  return planned.map(({ sound: each, operator, side }, index) => {
    const sides = { ours: each.parent, theirs: each.scene.source, [side]: ids[index] as string };
    return { sound: each, operator, request: requestFor(each, sides) };
  });
}

interface Variant {
  sound: Sound;
  operator: Operator;
  side: 'ours' | 'theirs';
  commit: Planned;
}

function withoutCommit(sound: Sound): Variant[] {
  const { plan, base } = sound.scene;
  if (plan.theirs.length < 2) return [];
  return plan.theirs.map((dropped): Variant => {
    const content = contentWithout(plan, 'theirs', (change) => dropped.includes(change));
    return { sound, operator: 'commit dropped', side: 'theirs', commit: { parents: [base], content } };
  });
}

/** Reverts one change of the target, and another one. */
function withoutWork(sound: Sound): Variant[] {
  const { plan, base } = sound.scene;
  const work = [...plan.prior.flat(), ...plan.ours.flat()];
  const first = plan.choice % Math.max(1, work.length);
  return [...work.slice(first), ...work.slice(0, first)].slice(0, REVERTS).map((reverted): Variant => {
    const content = contentWithout(plan, 'ours', (change) => change === reverted);
    return { sound, operator: 'unrelated revert', side: 'ours', commit: { parents: [base], content } };
  });
}

/** The landed files with one change. */
async function byEditing(
  workshop: Workshop,
  sound: readonly Sound[],
  operators: ReadonlySet<Operator>,
): Promise<Corrupt[]> {
  const contents = await workshop.contentsOf(sound.map(({ tree }) => tree));
  const planned = sound.flatMap((each) => {
    const content = contents.get(each.tree) as Content;
    return EDITORS.filter(([operator]) => operators.has(operator)).flatMap(([operator, edit]) => {
      const changes = edit(new Editor(each, content));
      return changes === undefined ? [] : [{ sound: each, operator, changes }];
    });
  });
  const commits = planned.map(({ sound: { tree, parent, way, scene }, changes }): Planned => {
    const parents = way === 'merge' ? [parent, scene.source] : [parent];
    return { parents, tree, changes: new Map([changes]) };
  });
  const ids = await workshop.commit(commits);
  return planned.map(({ sound: each, operator }, index) => ({
    sound: each,
    operator,
    commitId: ids[index] as string,
  }));
}
