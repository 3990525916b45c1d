import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MERGE_RECIPE } from '@plat/contracts/core';
import { git } from '@plat/testing';
import type { Content, Entry } from './files';
import { readObjects, type StoredObject } from './stored-objects';

/** A commit to make: with all its files, or as another tree with some of its files changed. */
export interface Planned {
  parents: readonly string[];
  content?: Content;
  tree?: string;
  changes?: ReadonlyMap<string, Entry | { mode: string; id: string } | undefined>;
}

/** A path that git's merge left in conflict: entries by stage (1 base, 2 ours, 3 theirs), as `mode id`. */
export interface Contradiction {
  path: string;
  stages: Partial<Record<'1' | '2' | '3', string>>;
}

export interface Merge {
  clean: boolean;
  tree: string;
  contradictions: Contradiction[];
  /** The paths of each conflict that git reports, some of which are in none of the stages. */
  conflicts: string[][];
}

/** Those that git has as a default are named as well. A bare repository has no attributes. */
const SETTINGS = [
  ['merge.renames', true],
  ['merge.renameLimit', MERGE_RECIPE.renameLimit],
  ['merge.directoryRenames', MERGE_RECIPE.directoryRenames],
  ['merge.renormalize', MERGE_RECIPE.renormalize],
  ['merge.conflictStyle', 'merge'],
  ['diff.algorithm', MERGE_RECIPE.diffAlgorithm],
  ['core.attributesFile', '/dev/null'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** A repository in which many histories are made at once, with one git process for each kind of work. */
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

  /** git's merges of pairs of commits, by the recipe. */
  async merge(pairs: readonly (readonly [ours: string, theirs: string])[]): Promise<Merge[]> {
    if (pairs.length === 0) return [];
    const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('');
    const args = [...SETTINGS, 'merge-tree', '--stdin', '--messages', '--allow-unrelated-histories'];
    const output = await git(this.directory, args, { input });
    return readMerges(output);
  }

  async treesOf(commits: readonly string[]): Promise<string[]> {
    if (commits.length === 0) return [];
    const input = commits.map((id) => `${id}^{tree}\n`).join('');
    return (await git(this.directory, ['cat-file', '--batch-check=%(objectname)'], { input })).split('\n');
  }

  /** All files of trees; contents as latin1. */
  async contentsOf(trees: readonly string[]): Promise<Map<string, Content>> {
    const objects = new Map<string, StoredObject>();
    // Level by level: first directories, then files.
    for (let ids = [...new Set(trees)]; ids.length > 0;) {
      const found = await readObjects(this.directory, ids);
      for (const [id, object] of found) objects.set(id, object);
      const below = [...found.values()].flatMap(({ entries }) => entries ?? []);
      ids = [...new Set(below.map(({ id }) => id))].filter((id) => !objects.has(id));
    }
    return new Map(trees.map((tree) => [tree, new Map(filesBelow(tree, { prefix: '', objects }))]));
  }

  /** As latin1. */
  async blobsOf(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await readObjects(this.directory, [...new Set(ids)]);
    return new Map([...found].map(([id, { content }]) => [id, content.toString('latin1')]));
  }
}

function* filesBelow(
  tree: string,
  { prefix, objects }: { prefix: string; objects: ReadonlyMap<string, StoredObject> },
): Generator<[path: string, Entry]> {
  for (const { mode, name, id } of objects.get(tree)?.entries ?? []) {
    const path = `${prefix}${name}`;
    if (mode === '40000') {
      yield* filesBelow(id, { prefix: `${path}/`, objects });
    } else {
      yield [
        path,
        {
          mode: mode as Entry['mode'],
          content: (objects.get(id) as StoredObject).content.toString('latin1'),
        },
      ];
    }
  }
}

/** Every commit gets another message, so that commits with the same files and parents differ. */
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

/**
 * Parses the results. Each is `1` or `0`, the tree, the conflicting entries by stage, an empty field, the messages, and an
 * empty field. A message is a number of paths, these paths, its kind and its text.
 */
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
    const conflicts: string[][] = [];
    for (next = end + 1; next < fields.length && fields[next] !== '';) {
      const kind = next + 1 + Number(fields[next]);
      if (fields[kind]?.startsWith('CONFLICT')) conflicts.push(fields.slice(next + 1, kind));
      next = kind + 2;
    }
    merges.push({ clean: status === '1', tree, contradictions: [...byPath.values()], conflicts });
  }
  return merges;
}
