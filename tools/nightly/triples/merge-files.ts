import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git, GitCommandFailed } from '@plat/testing';
import type { Triple } from './triples';

/**
 * git's merges of a triple: whether the landed file is the merge of the source onto the file before, or into itself.
 */
export interface MergedByGit {
  ontoBefore: boolean;
  intoLanded: boolean;
}

const VERSIONS = ['base', 'source', 'before', 'landed'] as const;
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Each triple is one file of four commits, so that git merges all of them at once. */
export async function mergeByGit(triples: readonly Triple[]): Promise<MergedByGit[]> {
  const directory = await mkdtemp(join(tmpdir(), 'plat-triples-'));
  try {
    await git(directory, ['init', '--quiet', '--bare', '.']);
    const commits = VERSIONS.map((version, index) => commitOf(triples, version, index));
    await git(directory, ['fast-import', '--quiet', '--done'], { input: `${commits.join('')}done\n` });
    const landed = await blobsOf(directory, 'landed');
    const [ontoBefore, intoLanded] = [await merge(directory, 'before'), await merge(directory, 'landed')];
    return triples.map((_, index) => {
      const name = `${index}`;
      return {
        ontoBefore: ontoBefore.get(name) === landed.get(name),
        intoLanded: intoLanded.get(name) === landed.get(name),
      };
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Whether git's merge of the source into the landed file changes nothing when it aligns the lines as `git merge-file`
 * does, by Myers' diff. Its merge of commits aligns them by the histogram diff; among repeated lines the two can differ.
 */
export async function isMergedByMyers({ base, source, landed }: Triple): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'plat-triple-'));
  try {
    const versions = { base, source, merged: landed };
    for (const [name, lines] of Object.entries(versions)) await writeFile(join(directory, name), text(lines));
    await git(directory, ['merge-file', 'merged', 'base', 'source']);
    return (await readFile(join(directory, 'merged'), 'utf8')) === text(landed);
  } catch (failure) {
    // Its exit code is the number of conflicts, 127 at most. A greater one is a failure.
    if (failure instanceof GitCommandFailed && failure.exitCode < 128) return false;
    throw failure;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function commitOf(triples: readonly Triple[], version: (typeof VERSIONS)[number], index: number): string {
  const files = triples.map((triple, name) => `M 100644 inline ${name}\n${data(text(triple[version]))}`);
  return [
    `commit refs/heads/${version}\nmark :${index + 1}\ncommitter Test <test@example.com> 1000000000 +0000\n`,
    data(version),
    index === 0 ? '' : 'from :1\n',
    ...files,
    '\n',
  ].join('');
}

const data = (content: string): string => `data ${Buffer.byteLength(content)}\n${content}\n`;

/** The merges of the source into a branch, by file, without those in conflict. */
async function merge(directory: string, into: string): Promise<Map<string, string>> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', into, 'source'];
  const output = await git(directory, args).catch((error: { stdout?: string }) => error.stdout ?? '');
  const [tree = '', ...conflicts] = output.trim().split('\n');
  const blobs = await blobsOf(directory, tree);
  for (const name of conflicts) blobs.delete(name);
  return blobs;
}

async function blobsOf(directory: string, tree: string): Promise<Map<string, string>> {
  const rows = (await git(directory, ['ls-tree', tree])).split('\n');
  return new Map(rows.map((row) => row.split(/[ \t]/).slice(2).reverse() as [string, string]));
}
