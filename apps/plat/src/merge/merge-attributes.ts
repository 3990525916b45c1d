import { dirname } from 'node:path/posix';
import { inBareRepository } from '../git/bare-repository';
import type { Git } from '../git/git';
import { listed } from '../git/listed';

/** A file whose `merge` attribute asks for another merge than the recipe's. */
export interface MergeAttribute {
  file: string;
  /** As it stands in a `.gitattributes`: `merge=union`, `-merge`. */
  attribute: string;
  side: 'target' | 'source';
}

/** Values of the `merge` attribute with which git merges as the recipe does. */
const AS_TEXT = ['unspecified', 'set', 'text'];

/** Paths that one git command gets as arguments. */
const BATCH = 500;

/**
 * The files for which the attributes of a side's own tree name another merge than the recipe's: a driver such as
 * `union`, or none at all. Attributes of the checkout and of the person do not count.
 *
 * @param files that both sides changed, by their path in the merge
 * @throws Failure GIT_FAILED
 */
export async function findMergeAttributes(
  git: Git,
  { onto, source, files }: { onto: string; source: string; files: readonly string[] },
): Promise<MergeAttribute[]> {
  if (files.length === 0) return [];
  const sides = [
    { side: 'target', tree: onto },
    { side: 'source', tree: source },
  ] as const;
  const found: MergeAttribute[] = [];
  for (const { side, tree } of sides) {
    for (const [file, value] of await readMergeAttributes(git, tree, files)) {
      const attribute = value === 'unset' ? '-merge' : `merge=${value}`;
      if (!AS_TEXT.includes(value)) found.push({ file, attribute, side });
    }
  }
  return found;
}

/** The `merge` attribute of each file, by the attributes that a tree itself has. */
async function readMergeAttributes(
  git: Git,
  tree: string,
  files: readonly string[],
): Promise<[string, string][]> {
  const entries = await attributeFiles(git, tree, files);
  if (entries.length === 0) return [];
  // In a partial clone this fetches them, which the bare repository cannot do.
  await git.run(['cat-file', '--batch-check'], entries.map(({ id }) => `${id}\n`).join(''));
  const fields = await inBareRepository(git, async (bare) => {
    const indexed = bare.withIndex();
    const lines = entries.map(({ id, path }) => `100644 ${id}\t${path}\0`);
    await indexed.run(['update-index', '-z', '--index-info'], lines.join(''));
    const asked = ['check-attr', '--cached', '-z', '--stdin', 'merge'];
    return listed(await indexed.run(asked, files.map((file) => `${file}\0`).join('')));
  });
  const values: [string, string][] = [];
  for (let at = 0; at < fields.length; at += 3) values.push([fields[at] ?? '', fields[at + 2] ?? '']);
  return values;
}

/** The `.gitattributes` of a tree that can say something about the files. git does not read one that is a link. */
async function attributeFiles(
  git: Git,
  tree: string,
  files: readonly string[],
): Promise<{ id: string; path: string }[]> {
  const folders = new Set<string>(['']);
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(`${folder}/`);
  }
  const paths = [...folders].map((folder) => `${folder}.gitattributes`);
  const entries: { id: string; path: string }[] = [];
  for (let at = 0; at < paths.length; at += BATCH) {
    const asked = ['ls-tree', '-z', '--full-tree', tree, '--', ...paths.slice(at, at + BATCH)];
    for (const entry of listed(await git.run(asked))) {
      const [mode = '', , id = ''] = entry.slice(0, entry.indexOf('\t')).split(' ');
      if (mode.startsWith('100')) entries.push({ id, path: entry.slice(entry.indexOf('\t') + 1) });
    }
  }
  return entries;
}
