import { git } from '@plat/testing';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Content, Entry } from './files';

/** A commit to be made: with all its files, or as another tree with some of its files changed. */
export interface Planned {
  parents: readonly string[];
  content?: Content;
  tree?: string;
  changes?: ReadonlyMap<string, Entry | { mode: string; id: string } | undefined>;
}

/** What git's merge left of a path for a person to decide: entries by stage (1 base, 2 ours, 3 theirs), as `mode id`. */
export interface Contradiction {
  path: string;
  stages: Partial<Record<'1' | '2' | '3', string>>;
}

export interface Merge {
  clean: boolean;
  tree: string;
  contradictions: Contradiction[];
}

/** A repository in which histories are made many at once: a process for each kind of work, whatever their number. */
export class Workshop {
  private made = 0;

  private constructor(readonly directory: string) {}

  static async open(): Promise<Workshop> {
    const directory = await mkdtemp(join(tmpdir(), 'plat-landings-'));
    await git(directory, ['init', '--quiet', '--bare', '.']);
    await git(directory, ['config', 'uploadpack.allowFilter', 'true']);
    await git(directory, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
    return new Workshop(directory);
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }

  /** @returns the ids, in the order of the commits */
  async commit(planned: readonly Planned[]): Promise<string[]> {
    if (planned.length === 0) return [];
    const marks = join(this.directory, 'marks');
    const stream = planned.map((each, index) => commitStream(each, index + 1, (this.made += 1)));
    await git(this.directory, ['fast-import', '--quiet', '--force', '--done', `--export-marks=${marks}`], {
      input: `${stream.join('')}done\n`,
    });
    const idOf = new Map(
      (await readFile(marks, 'utf8')).split('\n').map((row) => row.split(' ') as [string, string]),
    );
    return planned.map((_, index) => idOf.get(`:${index + 1}`) ?? '');
  }

  /** @param refs names below refs/heads with the commits that they get */
  async branch(refs: Readonly<Record<string, string>>): Promise<void> {
    const input = Object.entries(refs).map(([name, id]) => `update refs/heads/${name} ${id}\n`);
    await git(this.directory, ['update-ref', '--stdin'], { input: input.join('') });
  }

  /** git's merges of pairs of commits. */
  async merge(pairs: readonly (readonly [ours: string, theirs: string])[]): Promise<Merge[]> {
    if (pairs.length === 0) return [];
    const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('');
    const output = await git(this.directory, ['merge-tree', '--stdin', '--no-messages'], { input });
    return readMerges(output);
  }

  async treesOf(commits: readonly string[]): Promise<string[]> {
    if (commits.length === 0) return [];
    const input = commits.map((id) => `${id}^{tree}\n`).join('');
    return (await git(this.directory, ['cat-file', '--batch-check=%(objectname)'], { input })).split('\n');
  }

  /** Files of trees, all that there are; contents as latin1. */
  async contentsOf(trees: readonly string[]): Promise<Map<string, Content>> {
    const contents = new Map<string, Content>();
    const blobs = new Map<string, string>();
    const rows = new Map<string, [path: string, mode: string, id: string][]>();
    for (const tree of new Set(trees)) {
      const listed = (await git(this.directory, ['ls-tree', '-r', '-z', tree])).split('\0').filter(Boolean);
      const entries = listed.map((row): [string, string, string] => {
        const [head = '', path = ''] = row.split('\t');
        const [mode = '', , id = ''] = head.split(' ');
        return [path, mode, id];
      });
      for (const [, , id] of entries) blobs.set(id, '');
      rows.set(tree, entries);
    }
    for (const [id, content] of await this.blobs([...blobs.keys()])) blobs.set(id, content);
    for (const [tree, entries] of rows)
      contents.set(
        tree,
        new Map(entries.map(([path, mode, id]) => [path, { mode, content: blobs.get(id) } as Entry])),
      );
    return contents;
  }

  private async blobs(ids: readonly string[]): Promise<[string, string][]> {
    if (ids.length === 0) return [];
    const input = ids.map((id) => `${id}\n`).join('');
    const output = await git(this.directory, ['cat-file', '--batch'], { input });
    const blobs: [string, string][] = [];
    for (let at = 0; at < output.length;) {
      const end = output.indexOf('\n', at);
      const [id = '', , size = '0'] = output.slice(at, end).split(' ');
      blobs.push([id, output.slice(end + 1, end + 1 + Number(size))]);
      at = end + 1 + Number(size) + 1;
    }
    return blobs;
  }
}

/** Every commit is another one, though it may have the same files and parents. */
function commitStream({ parents, content, tree, changes }: Planned, mark: number, made: number): string {
  const [first, ...others] = parents;
  return [
    'reset refs/imported\n\n',
    `commit refs/imported\nmark :${mark}\ncommitter Test <test@example.com> ${1_000_000_000 + made} +0000\n`,
    data(`commit ${made}`),
    first === undefined ? '' : `from ${first}\n`,
    ...others.map((parent) => `merge ${parent}\n`),
    ...(content === undefined ? [] : ['deleteall\n']),
    ...(tree === undefined ? [] : [`M 040000 ${tree} \n`]),
    ...[...(content ?? changes ?? [])].map(([path, entry]) => fileStream(path, entry)),
    '\n',
  ].join('');
}

function fileStream(path: string, entry: Entry | { mode: string; id: string } | undefined): string {
  if (entry === undefined) return `D ${path}\n`;
  if ('id' in entry) return `M ${entry.mode} ${entry.id} ${path}\n`;
  return `M ${entry.mode} inline ${path}\n${data(entry.content)}`;
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Each result: `1` or `0`, the tree, what is in contradiction by stage if there is any, and an empty field. */
function readMerges(output: string): Merge[] {
  const fields = output.split('\0');
  const merges: Merge[] = [];
  for (let next = 0; next + 1 < fields.length; next += 1) {
    const [status, tree = ''] = fields.slice(next, next + 2);
    const end = fields.indexOf('', next);
    const byPath = new Map<string, Contradiction>();
    for (const row of fields.slice(next + 2, end)) {
      const [head = '', path = ''] = row.split('\t');
      const [mode = '', id = '', stage = '1'] = head.split(' ');
      const known = byPath.get(path) ?? { path, stages: {} };
      known.stages[stage as '1' | '2' | '3'] = `${mode} ${id}`;
      byPath.set(path, known);
    }
    merges.push({ clean: status === '1', tree, contradictions: [...byPath.values()] });
    next = end;
  }
  return merges;
}
