import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makePrivateFolder } from '@plat/local';
import { checkoutFolder } from '../checkout/checkout-lock';
import { inBareRepository } from '../git/bare-repository';
import { type Git, gitIn } from '../git/git';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';

/** The attributes by which git converts a file. With `text=auto` it converts only files that it would convert back. */
const CONVERTING = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding'];
const HARMLESS = ['unspecified', 'unset', 'auto'];

/**
 * The files that a commit makes unstable: git reports them as changed as soon as it has checked them out, because
 * their attributes make it store other content. Examples are a line ending, or a large file that was committed as it
 * is. In a checkout with such files a person's changes cannot be found, and git refuses to check out another commit.
 *
 * @param onto a commit whose unstable files are not the commit's fault
 * @throws Failure OWN_ATTRIBUTES if a person's attributes make a file unstable, and not those of the commit; GIT_FAILED
 */
export async function unstableFiles(
  git: Git,
  { onto, commit }: { onto: string; commit: string },
): Promise<string[]> {
  const compared = ['-r', '-z', '--no-renames', '--name-only', '--diff-filter=d'];
  const touched = listed(await git.run(['diff-tree', ...compared, onto, commit]));
  const isOfAll = touched.some((path) => basename(path) === '.gitattributes');
  const unstable = await unstableOf(git, commit, isOfAll ? undefined : touched);
  if (unstable.length === 0) return [];
  const before = new Set(await unstableOf(git, onto, unstable));
  const made = unstable.filter((path) => !before.has(path));
  await requireOfCommit(git, commit, made);
  return made;
}

/** Refuses files that the attributes of the commit itself do not convert: no source can help what a person has set. */
async function requireOfCommit(git: Git, commit: string, unstable: readonly string[]): Promise<void> {
  if (unstable.length === 0) return;
  const ofCommit = await inBareRepository(git, async (bare) => {
    const indexed = bare.withIndex();
    await indexed.run(['read-tree', commit]);
    return new Set(await listConverted(indexed, unstable));
  });
  const files = unstable.filter((path) => !ofCommit.has(path));
  if (files.length === 0) return;
  throw new Failure(
    'OWN_ATTRIBUTES',
    `Attributes that are set on this machine alone make git report these files of the merge as changed once they are checked out: ${files.join(', ')}.`,
    {
      details: { files },
      next: 'take the attributes of these files out of .git/info/attributes and of the file that core.attributesFile names, then repeat the command',
    },
  );
}

/** @param among undefined: all files of the commit */
async function unstableOf(git: Git, commit: string, among?: readonly string[]): Promise<string[]> {
  if (among?.length === 0) return [];
  // Next to the checkout, which the caller has claimed. A killed run may have left the folder.
  const folder = join(await checkoutFolder(git), 'unstable');
  const files = join(folder, 'files');
  await rm(folder, { recursive: true, force: true });
  await makePrivateFolder(files);
  try {
    const gitFolder = (await git.run(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '');
    const aside = gitIn(git.folder, git.interrupted, {
      GIT_DIR: gitFolder,
      GIT_WORK_TREE: files,
      GIT_INDEX_FILE: join(folder, 'index'),
      // The pointer of a large file is enough here, so git-lfs downloads nothing.
      GIT_LFS_SKIP_SMUDGE: '1',
    });
    await aside.run(['read-tree', commit]);
    const chosen = among && new Set(among);
    const candidates = listed(await aside.run(['ls-files', '--stage', '-z']))
      .filter((entry) => entry.startsWith('100'))
      .map((entry) => entry.slice(entry.indexOf('\t') + 1))
      .filter((path) => chosen?.has(path) ?? true);
    const converted = await listConverted(aside, candidates);
    if (converted.length === 0) return [];
    await aside.run(['checkout-index', `--prefix=${files}/`, '-z', '--stdin'], joined(converted));
    // git compares the contents, and ends with 1 if a file differs or is not checked out.
    await aside.try(['update-index', '-q', '--ignore-missing', '--refresh']);
    // A file that is not checked out counts as deleted, and is not listed.
    return listed(await aside.run(['diff-files', '--name-only', '--diff-filter=M', '-z']));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The files that git converts when it checks them out or stores them. */
async function listConverted(aside: Git, files: readonly string[]): Promise<string[]> {
  const asked = ['check-attr', '--cached', '-z', '--stdin', ...CONVERTING];
  const fields = listed(await aside.run(asked, joined(files)));
  const converted = new Set<string>();
  for (let at = 0; at < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3);
    if (!HARMLESS.includes(value)) converted.add(path);
  }
  return [...converted];
}

function joined(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}
