import type { Entry } from './files';
import { type Expected, type LandingQuestion, witnessLandings } from './witness';
import { Workshop } from './workshop';

/** The files of a commit: a text, or an entry. */
export type Tree = Record<string, string | Entry | Stored>;
type Stored = { mode: string; id: string };

/** One landing that a test makes by hand. Each commit has all its files. */
export interface Case {
  base: Tree;
  /** Default: one commit that changes nothing. */
  target?: Tree[];
  source: Tree[];
  /** Each on the one before; the last one is reported. */
  landed: Tree[];
  /** Whether the target before the landing is the anchor. */
  anchored?: boolean;
}

/** The lines of a file, some of which are changed, or left out if they are empty. */
export const lines = (changes: Record<number, string> = {}): string =>
  Array.from({ length: 40 }, (_, index) => changes[index + 1] ?? `line ${index + 1}`)
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');

/** Makes commits by hand in one repository, and asks the witness. */
export class HandMade {
  private constructor(
    readonly workshop: Workshop,
    private readonly emptyTree: string,
  ) {}

  static async open(): Promise<HandMade> {
    const workshop = await Workshop.open();
    const root = await workshop.commit([{ parents: [], content: new Map() }]);
    const [emptyTree] = await workshop.treesOf(root);
    return new HandMade(workshop, emptyTree as string);
  }

  async commit(tree: Tree, ...parents: string[]): Promise<string> {
    const entries = Object.entries(tree).map(([path, entry]): [string, Entry | Stored] => [
      path,
      typeof entry === 'string' ? { mode: '100644', content: entry } : entry,
    ]);
    const planned = { parents, tree: this.emptyTree, changes: new Map(entries) };
    return (await this.workshop.commit([planned]))[0] as string;
  }

  /** Commits each tree on the one before, and returns the last. */
  async grow(from: string, trees: readonly Tree[]): Promise<string> {
    let tip = from;
    for (const tree of trees) tip = await this.commit(tree, tip);
    return tip;
  }

  async judge(question: LandingQuestion): Promise<Expected> {
    return (await witnessLandings(this.workshop, [question]))[0] as Expected;
  }

  async verdictOf({ base, target = [base], source, landed, anchored }: Case): Promise<string> {
    const root = await this.commit(base);
    const onto = await this.grow(root, target);
    const [sourceTip, commitId] = [await this.grow(root, source), await this.grow(onto, landed)];
    const anchor = anchored === true ? { anchorCommitId: onto } : {};
    return (await this.judge({ sourceTip, commitId, ...anchor })).verdicts.join(' or ');
  }
}
