import type { Change, Content, Entry } from './files';
import { ownLine } from './files';
import { contentWithout, landAll, type Landed, type LandingRequest } from './scenes';
import type { Sound } from './sound';
import type { Planned, Workshop } from './workshop';

/** What can be wrong with a landing. */
export const OPERATORS = [
  'wrong base',
  'first commits only',
  'commit dropped',
  'hunk of the source dropped',
  'hunk altered',
  'part of a hunk of others reverted',
  'unrelated revert',
  'mode',
  'extra line',
  'extra file',
  'file of others emptied',
  'file restored',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** A sound landing with one thing wrong. */
export interface Corrupt {
  sound: Sound;
  operator: Operator;
  commitId: string;
}

/** Whatever of the operators can be applied to each of the landings, and makes another content. */
export async function corruptAll(workshop: Workshop, sound: readonly Sound[]): Promise<Corrupt[]> {
  const merged = await byMerging(workshop, sound);
  const edited = await byEditing(workshop, sound);
  const all = [...merged, ...edited];
  const trees = await workshop.treesOf(all.map(({ commitId }) => commitId));
  return all.filter(({ sound: { tree } }, index) => trees[index] !== tree);
}

interface Remerged {
  sound: Sound;
  operator: Operator;
  request: LandingRequest;
  /** Whether the decisions have to be about the same files as in the sound landing. */
  sameDecisions?: boolean;
}

/** Merges of other commits than the right ones, put where the right one would be. */
async function byMerging(workshop: Workshop, sound: readonly Sound[]): Promise<Corrupt[]> {
  const whole = sound.filter(({ way }) => way !== 'rebase' && way !== 'stacked' && way !== 'formatted');
  const variants = await makeVariants(workshop, whole);
  const remerged = whole.flatMap((each) => [...olderMerges(each), ...(variants.get(each) ?? [])]);
  const landed = await landAll(
    workshop,
    remerged.map(({ request }) => request),
  );
  return remerged.flatMap(({ sound: each, operator, request, sameDecisions }, index): Corrupt[] => {
    const made = landed[index];
    // What somebody wrote in the place itself could be a decision about anything.
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

function olderMerges(sound: Sound): Remerged[] {
  const { scene, older, parent, way } = sound;
  const { choice } = scene.plan;
  const remerged: Remerged[] = [];
  // Onto an earlier landing of the same source nobody lands it again.
  const bases = way === 'second landing' ? older.slice(1) : older;
  const base = bases[choice % Math.max(1, bases.length)];
  if (base !== undefined)
    remerged.push({
      sound,
      operator: 'wrong base',
      request: requestFor(sound, { ours: base, theirs: scene.source }),
    });
  const first = scene.theirs[choice % Math.max(1, scene.theirs.length - 1)];
  if (scene.theirs.length > 1 && first !== undefined)
    remerged.push({
      sound,
      operator: 'first commits only',
      request: requestFor(sound, { ours: parent, theirs: first }),
    });
  return remerged;
}

/** Branches of which something is left out, as commits of their own, and what they are merged with. */
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

/** Without contradictions only: in one, what is left of the source may be what somebody decided. */
function withoutCommit(sound: Sound): Variant[] {
  const { plan, base } = sound.scene;
  const dropped = plan.theirs[plan.choice % plan.theirs.length] ?? [];
  if (plan.theirs.length < 2 || sound.decided.size > 0) return [];
  const content = contentWithout(plan, 'theirs', (change) => dropped.includes(change));
  return [{ sound, operator: 'commit dropped', side: 'theirs', commit: { parents: [base], content } }];
}

function withoutWork(sound: Sound): Variant[] {
  const { plan, base } = sound.scene;
  const work = [...plan.prior.flat(), ...plan.ours.flat()].filter((change) => !isDecided(change, sound));
  const reverted = work[plan.choice % Math.max(1, work.length)];
  if (reverted === undefined) return [];
  const content = contentWithout(plan, 'ours', (change) => change === reverted);
  return [{ sound, operator: 'unrelated revert', side: 'ours', commit: { parents: [base], content } }];
}

/** Whether somebody had to decide about what it changes: then to take it back may be that decision. */
function isDecided(change: Change, { decided }: Sound): boolean {
  if (decided.size === 0) return false;
  return change.edit === undefined || [...decided.keys()].some((path) => /\.(ts|md)/.test(path));
}

function isSameDecisions(made: Landed, sound: Sound): boolean {
  const [one, other] = [made, sound].map(({ decided }) => [...decided.keys()].sort().join('\n'));
  return one === other;
}

/** The landed files with one thing changed of which nobody had to decide. */
async function byEditing(workshop: Workshop, sound: readonly Sound[]): Promise<Corrupt[]> {
  const plain = sound.filter(({ way }) => way !== 'formatted');
  const contents = await workshop.contentsOf(plain.map(({ tree }) => tree));
  const planned = plain.flatMap((each) => {
    const content = contents.get(each.tree) as Content;
    return EDITORS.flatMap(([operator, edit]) => {
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

type Changed = [path: string, entry: Entry];

/** A line of a landed file that nobody had to decide about. */
interface Line {
  path: string;
  index: number;
  text: string;
}

class Editor {
  private readonly choice: number;

  constructor(
    private readonly sound: Sound,
    private readonly content: Content,
  ) {
    this.choice = sound.scene.plan.choice;
  }

  altered(): Changed | undefined {
    const line = this.pick(this.lines().filter(({ text }) => /[a-z]/.test(text)));
    return (
      line &&
      this.withLines(line.path, (lines) => lines.with(line.index, line.text.replace(/\w+/, 'altered')))
    );
  }

  /** Own lines of one side, and perhaps some behind them. */
  dropped(side: 'ours' | 'theirs'): Changed | undefined {
    const own = new Set(this.sound.scene.plan[side].flat().map(({ number }) => ownLine(number)));
    const all = this.lines();
    const first = this.pick(all.filter(({ text }) => own.has(text)));
    if (first === undefined) return undefined;
    const isOpen = (index: number) => all.some((line) => line.path === first.path && line.index === index);
    let count = 1;
    while (count <= this.choice % 3 && isOpen(first.index + count)) count += 1;
    return this.withLines(first.path, (lines) => lines.toSpliced(first.index, count));
  }

  /** Not right beside what somebody decided: there it would be a part of that. */
  extraLine(): Changed | undefined {
    const all = this.lines();
    const isInside = ({ path, index }: Line) =>
      all.some((line) => line.path === path && line.index === index - 1);
    const line = this.pick(all.filter(isInside));
    return line && this.withLines(line.path, (lines) => lines.toSpliced(line.index, 0, '  backdoor();'));
  }

  extraFile(): Changed {
    return ['extra', { mode: '100644', content: 'nobody reviewed this\n' }];
  }

  mode(): Changed | undefined {
    const files = [...this.content].filter(([, { mode }]) => mode !== '120000');
    const [path, entry] = this.pick(files) ?? [];
    if (path === undefined || entry === undefined) return undefined;
    return [path, { ...entry, mode: entry.mode === '100644' ? '100755' : '100644' }];
  }

  emptied(): Changed | undefined {
    const { ours } = this.sound.scene.plan;
    const added = ours
      .flat()
      .find(({ whole, file }) => whole === 'add' && this.content.has(`new/file_${file % 3}`));
    const path = `new/file_${(added?.file ?? 0) % 3}`;
    if (added === undefined || this.sound.decided.has(path)) return undefined;
    return [path, { mode: '100644', content: '' }];
  }

  /** A file that others removed and the review did not touch is there again, with a line more. */
  restored(): Changed | undefined {
    const { plan } = this.sound.scene;
    const touched = new Set(plan.theirs.flat().map(({ file }) => file));
    const isRenamed = [...plan.theirs, ...plan.prior, ...plan.ours]
      .flat()
      .some(({ whole }) => whole?.startsWith('rename'));
    const removed = plan.ours.flat().find(({ whole, file }) => whole === 'remove' && !touched.has(file));
    const before = contentWithout(plan, 'ours', ({ whole }) => whole === 'remove');
    const path = ['main.ts', 'lib/util.ts', 'lib/deep/parse.ts', 'doc/guide.md'][
      removed?.file ?? 0
    ] as string;
    const entry = before.get(path);
    if (removed === undefined || entry === undefined || isRenamed || this.content.has(path)) return undefined;
    return [path, { ...entry, content: `${entry.content}  more();\n` }];
  }

  private lines(): Line[] {
    return [...this.content].flatMap(([path, { content, mode }]) => {
      if (mode === '120000' || content.startsWith('\0')) return [];
      const decided = this.sound.decided.get(path);
      // A file that was decided as a whole is all decision.
      if (decided !== undefined && decided.free.length === 0) return [];
      const lines = content.split('\n').slice(0, -1);
      return lines.flatMap((text, index) => (decided?.free[index] ? [] : [{ path, index, text }]));
    });
  }

  private pick<Item>(items: readonly Item[]): Item | undefined {
    return items[(this.choice * 31) % Math.max(1, items.length)];
  }

  private withLines(path: string, change: (lines: string[]) => string[]): Changed {
    const entry = this.content.get(path) as Entry;
    const lines = change(entry.content.split('\n').slice(0, -1));
    return [path, { ...entry, content: lines.map((line) => `${line}\n`).join('') }];
  }
}

const EDITORS: readonly [Operator, (editor: Editor) => Changed | undefined][] = [
  ['hunk altered', (editor) => editor.altered()],
  ['hunk of the source dropped', (editor) => editor.dropped('theirs')],
  ['part of a hunk of others reverted', (editor) => editor.dropped('ours')],
  ['extra line', (editor) => editor.extraLine()],
  ['extra file', (editor) => editor.extraFile()],
  ['mode', (editor) => editor.mode()],
  ['file of others emptied', (editor) => editor.emptied()],
  ['file restored', (editor) => editor.restored()],
];
