import { readObjects, type StoredObject } from './stored-objects';
import { type Merge, type Planned, type Workshop } from './workshop';

/** An entry of a tree. The mode is one of those that git writes today. */
export interface FileEntry {
  mode: string;
  id: string;
}
export type Files = ReadonlyMap<string, FileEntry>;

/** Reads and merges in one repository: git does in one process all that is asked for at the same time. */
export class WitnessRepository {
  private readonly mergeOf = batched((pairs) =>
    this.workshop.merge(pairs.map((pair) => pair.split(' ') as [string, string])),
  );
  private readonly commitOf = batched((commits) =>
    this.workshop.commit(commits.map((each) => JSON.parse(each) as Planned)),
  );
  private readonly objectOf = batched(async (ids) => {
    const read = await readObjects(this.workshop.directory, ids);
    return ids.map((id) => read.get(id) as StoredObject);
  });
  private readonly listings = new Map<string, Promise<Files>>();
  private readonly histories = new Map<string, ReadonlySet<string>>();

  private constructor(
    private readonly workshop: Workshop,
    private readonly objects: ReadonlyMap<string, StoredObject>,
  ) {}

  static async open(workshop: Workshop): Promise<WitnessRepository> {
    return new WitnessRepository(workshop, await readObjects(workshop.directory));
  }

  /** Of a commit that was there when the repository was opened. */
  treeOf(commitId: string): string {
    return this.objects.get(commitId)?.treeId as string;
  }

  parentsOf(commitId: string): readonly string[] {
    return this.objects.get(commitId)?.parentIds ?? [];
  }

  /** The commit itself, and all that it descends from. */
  historyOf(commitId: string): ReadonlySet<string> {
    const known = this.histories.get(commitId);
    if (known !== undefined) return known;
    const reached = new Set([commitId]);
    for (const id of reached) for (const parent of this.parentsOf(id)) reached.add(parent);
    this.histories.set(commitId, reached);
    return reached;
  }

  /** The common ancestors of which no other one descends. */
  mergeBasesOf(one: string, other: string): string[] {
    const common = [...this.historyOf(one)].filter((id) => this.historyOf(other).has(id));
    return common.filter((id) => !common.some((later) => later !== id && this.historyOf(later).has(id)));
  }

  /** The recipe's merge. */
  merge(onto: string, source: string): Promise<Merge> {
    return this.mergeOf(`${onto} ${source}`);
  }

  /** The same from a base of its own, as a cherry-pick of all since the base. */
  async pick(base: string, { onto, last }: { onto: string; last: string }): Promise<Merge> {
    const commit: Planned = { parents: [base], tree: this.treeOf(onto) };
    return this.merge(await this.commitOf(JSON.stringify(commit)), last);
  }

  filesOf(tree: string): Promise<Files> {
    const known = this.listings.get(tree) ?? this.list(tree);
    this.listings.set(tree, known);
    return known;
  }

  async areSame(one: string, other: string): Promise<boolean> {
    return one === other || (await this.changesOf(one, other)).size === 0;
  }

  /** The paths whose entries differ. */
  async changesOf(
    before: string,
    after: string,
  ): Promise<Map<string, [before?: FileEntry, after?: FileEntry]>> {
    const [old, now] = await Promise.all([this.filesOf(before), this.filesOf(after)]);
    const paths = new Set([...old.keys(), ...now.keys()]);
    return new Map(
      [...paths]
        .filter((path) => !isSameEntry(old.get(path), now.get(path)))
        .map((path) => [path, [old.get(path), now.get(path)]]),
    );
  }

  /** The lines of a text file, each with its end; undefined for all else. As latin1. */
  async linesOf(entry: FileEntry | undefined): Promise<string[] | undefined> {
    if (entry === undefined || !isRegular(entry)) return undefined;
    const text = (await this.read(entry.id)).content.toString('latin1');
    return text.includes('\0') ? undefined : text.split(/(?<=\n)/).filter((line) => line !== '');
  }

  private async list(tree: string): Promise<Files> {
    const { entries = [] } = await this.read(tree);
    const below = await Promise.all(
      entries.map(async ({ mode, name, id }): Promise<[string, FileEntry][]> => {
        if (kindOf(mode) !== 0o04) return [[name, { mode: modeOf(mode), id }]];
        return [...(await this.filesOf(id))].map(([path, entry]) => [`${name}/${path}`, entry]);
      }),
    );
    return new Map(below.flat());
  }

  private read(id: string): Promise<StoredObject> {
    const known = this.objects.get(id);
    return known === undefined ? this.objectOf(id) : Promise.resolve(known);
  }
}

export const isSameEntry = (one: FileEntry | undefined, other: FileEntry | undefined): boolean =>
  one?.id === other?.id && one?.mode === other?.mode;

export const isRegular = ({ mode }: FileEntry): boolean => kindOf(mode) === 0o10;

const kindOf = (mode: string): number => parseInt(mode, 8) >> 12;

/** As git reads the modes of old tools. */
function modeOf(mode: string): string {
  if (kindOf(mode) !== 0o10) return mode;
  return parseInt(mode, 8) & 0o100 ? '100755' : '100644';
}

/** Answers all keys that are asked for before the next turn of the event loop by one call, and remembers the answers. */
function batched<Value>(answer: (keys: string[]) => Promise<Value[]>): (key: string) => Promise<Value> {
  const known = new Map<string, Promise<Value>>();
  let waiting: string[] = [];
  let answers: Promise<Map<string, Value>> = Promise.resolve(new Map());
  return (key) => {
    const asked = known.get(key);
    if (asked !== undefined) return asked;
    if (waiting.length === 0) {
      const last = answers;
      answers = (async () => {
        await last;
        await new Promise((resolve) => setImmediate(resolve));
        const keys = waiting;
        waiting = [];
        const values = await answer(keys);
        return new Map(keys.map((each, index) => [each, values[index] as Value]));
      })();
    }
    waiting.push(key);
    const value = answers.then((found) => found.get(key) as Value);
    known.set(key, value);
    return value;
  };
}
