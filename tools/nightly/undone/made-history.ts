import { type ImportedCommit, Random } from '@plat/testing';

/** The ways in which a source takes back work of others without meaning it. */
export const CARELESS = [
  'own side',
  'half resolved',
  'old snapshot',
  'old file with an edit',
  'formatter over an old tree',
  'folder moved and moved back',
  'rebase with the own side',
] as const;
/** The ways in which an author goes on from the work of others. */
export const HONEST = ['merge', 'edit', 'move of lines', 'move of a file', 'formatter', 'revert'] as const;

export type Way = (typeof CARELESS)[number] | (typeof HONEST)[number];

/** A file as sections of lines, which landings change one by one. */
type File = readonly (readonly string[])[];
type Tree = ReadonlyMap<string, File>;

/** A history with a landing whose work a source takes back, or does not. */
export interface MadeHistory {
  way: Way;
  commits: ImportedCommit[];
  /** Places in `commits`: the target before, the source, and the squash of it. */
  onto: number;
  source: number;
  landed: number;
  /** The blocks of earlier landings that are lost: their commits and paths, blocks of three lines and more alone. */
  lost: { landing: number; path: string }[];
}

const PATHS = ['src/transfer.ts', 'src/account.ts', 'src/log.ts', 'lib/money.ts', 'docs/guide.md'];
const DAY = 86_400;
const SECTIONS = 12;

/** Makes the history of a seed. The same seed gives the same history. */
export function makeHistory(seed: number, way: Way): MadeHistory {
  return new Maker(new Random(seed), way).make();
}

class Maker {
  private readonly commits: ImportedCommit[] = [];
  private lineNumber = 0;
  private date = 1_767_225_600;

  constructor(
    private readonly random: Random,
    private readonly way: Way,
  ) {}

  make(): MadeHistory {
    const begin: Tree = new Map(PATHS.map((path) => [path, this.newFile()]));
    const root = this.commit([], begin);
    const ownPath = this.random.pick(PATHS);
    const own = this.changed(begin, ownPath, 0);
    const topic = this.commit([root], own);
    const { target, landings, paths } = this.landSome(begin, root);
    const onto = landings.at(-1) ?? root;
    const merged = mergedTree(begin, own, target);
    const source = this.goOn({ begin, own, target, merged, topic, onto, paths });
    const landed = this.commit([onto], source.tree);
    const lost = landings.flatMap((landing, index) => {
      const path = paths[index] as string;
      const isLost = this.isLost({ begin, target, landed: source.tree }, { path, section: index + 1 });
      return isLost ? [{ landing, path }] : [];
    });
    return { way: this.way, commits: this.commits, onto, source: source.index, landed, lost };
  }

  /** Lands two to four changes of others, each in a section of its own. */
  private landSome(begin: Tree, root: number): { target: Tree; landings: number[]; paths: string[] } {
    let [target, parent] = [begin, root];
    const landings: number[] = [];
    const paths: string[] = [];
    const count = 2 + Math.floor(this.random.next() * 3);
    for (let number = 1; number <= count; number += 1) {
      const path = this.random.pick(PATHS);
      target = this.changed(target, path, number);
      parent = this.commit([parent], target);
      landings.push(parent);
      paths.push(path);
    }
    return { target, landings, paths };
  }

  /** Makes the rest of the source. @returns its tip */
  private goOn(sides: Sides): Made {
    const { merged, topic, onto, paths } = sides;
    const path = this.random.pick(paths);
    const old = sides.own.get(path) as File;
    const again = (tree: Tree): Made => {
      const merge = this.commit([topic, onto], merged);
      return { index: this.commit([merge], tree), tree };
    };
    return this.carelessly({ ...sides, path, old, again }) ?? this.honestly({ ...sides, path, old, again });
  }

  private carelessly({ own, merged, topic, onto, target, path, old, again }: GoingOn): Made | undefined {
    switch (this.way) {
      case 'own side':
        return { index: this.commit([topic, onto], own), tree: own };
      case 'half resolved': {
        const tree = new Map(merged).set(path, old);
        return { index: this.commit([topic, onto], tree), tree };
      }
      case 'old snapshot':
        return again(own);
      case 'old file with an edit':
        return again(new Map(merged).set(path, this.edited(old)));
      case 'formatter over an old tree':
        return again(new Map(merged).set(path, formatted(old)));
      case 'folder moved and moved back': {
        const moved = new Map([...merged].map(([name, file]) => [name.replace(/^src\//, 'source/'), file]));
        const merge = this.commit([topic, onto], merged);
        const there = this.commit([merge], moved);
        const back = new Map(
          [...merged].map(([name, file]) => [name, name.startsWith('src/') ? own.get(name)! : file]),
        );
        return { index: this.commit([there], back), tree: back };
      }
      case 'rebase with the own side': {
        const tree = new Map(target).set(path, old);
        return { index: this.commit([onto], tree), tree };
      }
      default:
        return undefined;
    }
  }

  private honestly({ merged, topic, onto, path, old, again }: GoingOn): Made {
    switch (this.way) {
      case 'edit':
        return again(new Map(merged).set(path, this.edited(merged.get(path) as File)));
      case 'move of lines': {
        const file = merged.get(path) as File;
        const tree = new Map(merged).set(path, [...file.slice(0, 1), ...file.slice(2), file[1] as string[]]);
        return again(tree);
      }
      case 'move of a file': {
        const tree = new Map(merged);
        tree.delete(path);
        return again(tree.set(`moved/${path}`, merged.get(path) as File));
      }
      case 'formatter':
        return again(new Map(merged).set(path, formatted(merged.get(path) as File)));
      case 'revert':
        return again(new Map(merged).set(path, old));
      default:
        return { index: this.commit([topic, onto], merged), tree: merged };
    }
  }

  /** Whether the block of a landing was on the target and is not in the landed tree, in any layout or place. */
  private isLost(
    { begin, target, landed }: Record<'begin' | 'target' | 'landed', Tree>,
    { path, section }: { path: string; section: number },
  ): boolean {
    const [before, made] = [begin.get(path)?.[section] ?? [], target.get(path)?.[section] ?? []];
    const block = made.filter((line) => !before.includes(line));
    const there = new Set([...landed.values()].flat(2).map(bare));
    return block.length >= 3 && block.every((line) => !there.has(bare(line)));
  }

  /** A file with a block of a landing in one of its sections: lines more, or lines instead. */
  private changed(tree: Tree, path: string, section: number): Tree {
    const file = tree.get(path) as File;
    const block = this.lines(3 + Math.floor(this.random.next() * 6));
    const old = file[section] as readonly string[];
    const made = this.random.chance(0.6) ? [...old, ...block] : block;
    return new Map(tree).set(
      path,
      file.map((each, index) => (index === section ? made : each)),
    );
  }

  private edited(file: File): File {
    return file.map((section, index) => (index === SECTIONS - 1 ? [...section, ...this.lines(2)] : section));
  }

  private newFile(): File {
    return Array.from({ length: SECTIONS }, () => this.lines(3));
  }

  private lines(count: number): string[] {
    return Array.from(
      { length: count },
      () => `  const value${(this.lineNumber += 1)} = read(${this.lineNumber});\n`,
    );
  }

  private commit(parents: number[], tree: Tree): number {
    this.date += DAY / 4;
    const files = Object.fromEntries([...tree].map(([path, file]) => [path, file.flat().join('')]));
    return this.commits.push({ parents, date: this.date, files }) - 1;
  }
}

/** A commit of the source with its tree. */
interface Made {
  index: number;
  tree: Tree;
}

interface GoingOn extends Sides {
  path: string;
  /** The file of the path as the source had it before its merge. */
  old: File;
  /** Commits a tree on a sound merge of the target. */
  again(tree: Tree): Made;
}

interface Sides {
  begin: Tree;
  own: Tree;
  target: Tree;
  merged: Tree;
  topic: number;
  onto: number;
  paths: readonly string[];
}

/** The merge of two trees whose changes are in different sections. */
function mergedTree(begin: Tree, own: Tree, target: Tree): Tree {
  const sections = (path: string): File =>
    (begin.get(path) as File).map((section, index) => {
      const theirs = own.get(path)?.[index] ?? section;
      return theirs.join('') === section.join('') ? (target.get(path)?.[index] ?? section) : theirs;
    });
  return new Map([...begin.keys()].map((path) => [path, sections(path)]));
}

const formatted = (file: File): File => file.map((section) => section.map((line) => `  ${line}`));
const bare = (line: string): string => line.trim();
