import { Editor, EDITORS } from './editor';
import type { Change, Content } from './files';
import { type Operator, OPERATORS } from './operators';
import { contentWithout, landAll, type Landed, type LandingRequest } from './scenes';
import type { Sound } from './sound';
import type { Planned, Workshop } from './workshop';

/** Changes of the target of which each is reverted in a landing of its own. */
const REVERTS = 2;

/** A sound landing with one fault. */
export interface Corrupt {
  sound: Sound;
  operator: Operator;
  commitId: string;
  /** The merge before it in its queue, if one is given. */
  anchor?: string;
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
  const whole = sound.filter(({ way }) => way === 'squash' || way === 'merge');
  const edited = await byEditing(workshop, whole, SPOILING);
  const trees = await workshop.treesOf(edited.map(({ commitId }) => commitId));
  const spoiled = edited.flatMap(({ sound: each }, index) =>
    trees[index] === each.tree ? [] : [{ each, tree: trees[index] as string }],
  );
  const ids = await workshop.commit(spoiled.map(({ each, tree }) => ({ parents: [each.commitId], tree })));
  return spoiled.map(({ each }, index) => ({
    sound: each,
    operator: AFTERWARDS,
    commitId: ids[index] as string,
    anchor: each.parent,
  }));
}

interface Remerged {
  sound: Sound;
  operator: Operator;
  request: LandingRequest;
  /** Whether the decisions have to concern the same files as in the sound landing. */
  sameDecisions?: boolean;
}

/** Merges other commits than the right ones, and lands the result in place of the right one. */
async function byMerging(
  workshop: Workshop,
  sound: readonly Sound[],
  operators: ReadonlySet<Operator>,
): Promise<Corrupt[]> {
  const plain = sound.filter(({ way }) => way !== 'formatted');
  const whole = plain.filter(({ way }) => way !== 'rebase' && way !== 'stacked');
  const variants = await makeVariants(
    workshop,
    whole.filter(({ scene }) => !scene.hasMerged),
  );
  const remerged = [
    ...plain.flatMap(ontoOlder),
    ...(await ontoBefore(workshop, plain)),
    ...whole.flatMap((each) => [...ofFirstCommits(each), ...(variants.get(each) ?? [])]),
  ].filter(({ operator }) => operators.has(operator));
  const landed = await landAll(
    workshop,
    remerged.map(({ request }) => request),
  );
  return remerged.flatMap(({ sound: each, operator, request, sameDecisions }, index): Corrupt[] => {
    const made = landed[index];
    // Lines that a person wrote by hand in a conflict could be a decision about anything.
    if (made === undefined || (!made.isClean && request.resolution === 'written')) return [];
    if (sameDecisions && !isSameDecisions(made, each)) return [];
    return [{ sound: each, operator, commitId: made.commitId }];
  });
}

function requestFor({ scene, parent, way }: Sound, sides: { ours: string; theirs: string }): LandingRequest {
  const { plan, source } = scene;
  const parents = way === 'merge' ? [parent, source] : [parent];
  return { ...sides, parents, resolution: plan.resolution, number: plan.choice };
}

function ontoOlder(sound: Sound): Remerged[] {
  const { scene, older } = sound;
  // A source does not land again onto its own earlier landing, or onto its first commits.
  const bases = older.filter((id) => id === scene.base || scene.ours.includes(id));
  const ours = bases[scene.plan.choice % Math.max(1, bases.length)];
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
  // All of the source but its last merge of the target is the whole source.
  if (scene.isTipMerge && first === scene.theirs.at(-2)) return [];
  const request = requestFor(sound, { ours: parent, theirs: first });
  return [{ sound, operator: 'first commits only', request }];
}

/** Commits variants of the branches with something left out, and pairs them with the other side. */
async function makeVariants(
  workshop: Workshop,
  sound: readonly Sound[],
): Promise<ReadonlyMap<Sound, Remerged[]>> {
  const planned = sound.flatMap((each) => [...withoutCommit(each), ...withoutWork(each)]);
  const ids = await workshop.commit(planned.map(({ commit }) => commit));
  const variants = new Map<Sound, Remerged[]>();
  for (const [index, { sound: each, operator, side }] of planned.entries()) {
    const id = ids[index] as string;
    const sides =
      side === 'theirs' ? { ours: each.parent, theirs: id } : { ours: id, theirs: each.scene.source };
    const remerged = { sound: each, operator, request: requestFor(each, sides), sameDecisions: true };
    variants.set(each, [...(variants.get(each) ?? []), remerged]);
  }
  return variants;
}

interface Variant {
  sound: Sound;
  operator: Operator;
  side: 'ours' | 'theirs';
  commit: Planned;
}

/** Makes variants only without conflicts: in a conflict, the rest of the source may look like a person's decision. */
function withoutCommit(sound: Sound): Variant[] {
  const { plan, base } = sound.scene;
  if (plan.theirs.length < 2 || sound.decided.size > 0) return [];
  return plan.theirs.map((dropped): Variant => {
    const content = contentWithout(plan, 'theirs', (change) => dropped.includes(change));
    return { sound, operator: 'commit dropped', side: 'theirs', commit: { parents: [base], content } };
  });
}

/** Reverts one change of the target, and another one. Many reviews have no change that can be reverted. */
function withoutWork(sound: Sound): Variant[] {
  const { plan, base } = sound.scene;
  const work = [...plan.prior.flat(), ...plan.ours.flat()].filter((change) => !isDecided(change, sound));
  const first = plan.choice % Math.max(1, work.length);
  return [...work.slice(first), ...work.slice(0, first)].slice(0, REVERTS).map((reverted): Variant => {
    const content = contentWithout(plan, 'ours', (change) => change === reverted);
    return { sound, operator: 'unrelated revert', side: 'ours', commit: { parents: [base], content } };
  });
}

/** Whether a change may be part of a conflict, so that a person may have decided to revert it. */
function isDecided(change: Change, { decided }: Sound): boolean {
  if (decided.size === 0) return false;
  return change.edit === undefined || [...decided.keys()].some((path) => /\.(ts|md)/.test(path));
}

function isSameDecisions(made: Landed, sound: Sound): boolean {
  const [one, other] = [made, sound].map(({ decided }) => [...decided.keys()].sort().join('\n'));
  return one === other;
}

/** The landed files with one change outside of all conflicts. */
async function byEditing(
  workshop: Workshop,
  sound: readonly Sound[],
  operators: ReadonlySet<Operator>,
): Promise<Corrupt[]> {
  const plain = sound.filter(({ way }) => way !== 'formatted');
  const contents = await workshop.contentsOf(plain.map(({ tree }) => tree));
  const planned = plain.flatMap((each) => {
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
