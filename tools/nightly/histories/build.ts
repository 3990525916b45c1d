import { isDeepStrictEqual } from 'node:util';
import { contentOf, type Entry, placesOf } from './content';
import type { Action, Edit, Plan, Step } from './plan';

export interface BuiltCommit {
  /** Positions in the list of commits. */
  parents: readonly number[];
  date: number;
  content: ReadonlyMap<string, Entry>;
  /** The branch's content, as the set of its edits. */
  places: ReadonlyMap<string, string>;
}

/** The result of a plan: the commits in order, and the positions of the tips. */
export interface History {
  commits: BuiltCommit[];
  source: number;
  target: number;
  /** Each action and each kind of edit that changed something. */
  happened: ReadonlySet<Happening>;
}

export type Happening = Action | Edit['kind'];

interface Branch {
  tip: number;
  /** The edits in the branch's content. */
  has: ReadonlySet<number>;
}

/** Actions that change the history without always changing the content. */
const WITHOUT_CHANGE: ReadonlySet<Action> = new Set<Action>([
  'commit nothing',
  'merge',
  'cross merge',
  'take over',
  'start again',
  'force back',
]);

/** The first commit belongs to source and target; each step then moves one of them, or both. */
export function buildHistory({ steps }: Plan): History {
  const builder = new Builder();
  for (const step of steps) builder.take(step);
  const { commits, source, target, happened } = builder;
  return { commits, source: source.tip, target: target.tip, happened };
}

class Builder {
  private readonly edits: Edit[] = [];
  /** The edits of each commit, by position. */
  private readonly states: ReadonlySet<number>[] = [new Set()];
  readonly commits: BuiltCommit[] = [{ parents: [], date: 1_000_000_000, ...this.contentOf(new Set()) }];
  source: Branch = { tip: 0, has: new Set() };
  target: Branch = { tip: 0, has: new Set() };

  readonly happened = new Set<Happening>();

  take(step: Step): void {
    const before = this[step.branch].tip;
    this.carryOut(step);
    const after = this[step.branch].tip;
    if (before === after) return;
    const isChanged = !isDeepStrictEqual(this.commits[before]?.content, this.commits[after]?.content);
    if (!isChanged && !WITHOUT_CHANGE.has(step.action)) return;
    this.happened.add(step.action);
    if (step.action === 'edit') this.happened.add(step.edit.kind);
  }

  private carryOut(step: Step): void {
    const { branch, action, edit, choice } = step;
    const own = this[branch];
    const other = this[branch === 'source' ? 'target' : 'source'];
    const all = new Set([...own.has, ...other.has]);
    switch (action) {
      case 'edit':
        return this.commit(step, new Set([...own.has, this.edits.push(edit) - 1]));
      case 'commit nothing':
        return this.commit(step, own.has);
      case 'merge':
        return this.commit(step, all, [own.tip, other.tip]);
      case 'cross merge':
        return this.crossMerge(step, all);
      case 'take over':
        this[branch] = other;
        return;
      case 'land squash':
        return this.commit(step, all);
      case 'land squash, conflicts resolved':
        return this.commit(step, new Set([...all, this.edits.push(edit) - 1]));
      case 'land squash on a wrong base':
        return this.commit(step, other.has);
      case 'land rebase':
        for (const id of other.has) this.commit(step, new Set([...this[branch].has, id]));
        return;
      case 'land part':
        return this.commit(step, new Set([...own.has, ...without(other.has, choice)]));
      case 'revert last':
        return this.commit(step, this.states[this.commits[own.tip]?.parents[0] ?? own.tip] ?? own.has);
      case 'revert one':
        return this.commit(step, without(own.has, choice));
      case 'start again':
        return this.commit(step, own.has, []);
      case 'force back': {
        const tip = choice % this.commits.length;
        this[branch] = { tip, has: this.states[tip] ?? own.has };
      }
    }
  }

  private commit({ branch, date }: Step, has: ReadonlySet<number>, parents = [this[branch].tip]): void {
    const tip = this.commits.push({ parents: [...new Set(parents)], date, ...this.contentOf(has) }) - 1;
    this.states.push(has);
    this[branch] = { tip, has };
  }

  private contentOf(has: ReadonlySet<number>) {
    return { content: contentOf(this.edits, has), places: placesOf(this.edits, has) };
  }

  /** Merges the previous tip of each branch into the other, which gives them two merge bases. */
  private crossMerge(step: Step, all: ReadonlySet<number>): void {
    const [source, target] = [this.source.tip, this.target.tip];
    this.commit({ ...step, branch: 'source' }, all, [source, target]);
    this.commit({ ...step, branch: 'target' }, all, [target, source]);
  }
}

function without(all: ReadonlySet<number>, choice: number): Set<number> {
  return new Set([...all].filter((_, index) => index !== choice % all.size));
}
