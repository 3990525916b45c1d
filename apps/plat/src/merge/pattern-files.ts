import { basename, dirname } from 'node:path/posix';
import type { Git } from '../git/git';
import { countFilesBelow } from './folder-files';
import type { Skip } from './squash';
import { listChanges, readSizes } from './tree-changes';
import { countFiles } from './tree-size';

/** The files whose patterns git compares with each path below their folder, again and again. */
const PATTERN_FILES = ['.gitattributes', '.gitignore'];
/** As many bytes of patterns are compared with the files of any commit in a moment. */
const BYTES_FREE = 64 * 1024;
/** Most comparisons: bytes of patterns, times files. git makes about two hundred million of them in a second. */
const COMPARISONS_MAX = 20e9;

/**
 * Finds out whether a source has so many more patterns for its files than the commit onto which it is merged that git would
 * compare them for minutes or hours in each of its commands. A few kilobytes have a million patterns, and as many files.
 *
 * @param revisions hashes of two commits. The source is not oversized
 * @returns why the source is skipped; undefined if it is not
 */
export async function findTooManyPatterns(
  git: Git,
  { onto, source }: { onto: string; source: string },
): Promise<Skip | undefined> {
  const changes = await listChanges(git, { onto, commit: source });
  const changed = changes.filter(({ path }) => PATTERN_FILES.includes(basename(path)));
  const sizes = await readSizes(
    git,
    changed.flatMap(({ oldId, newId }) => [oldId, newId]),
  );
  const sizeOf = (id: string) => sizes.get(id) ?? 0;
  const more = changed.map(({ path, oldId, newId }) => ({
    folder: dirname(path),
    bytes: sizeOf(newId) - sizeOf(oldId),
  }));
  const bytes = more.reduce((sum, each) => sum + each.bytes, 0);
  if (bytes <= BYTES_FREE || bytes * (await countFiles(git, source)) <= COMPARISONS_MAX) return undefined;
  // Each of hundreds of vendored packages may have a few patterns, which are compared with its own files alone.
  const below = await countFilesBelow(git, { commit: source, folders: more.map(({ folder }) => folder) });
  const comparisons = more.reduce((sum, each) => sum + each.bytes * (below.get(each.folder) ?? 0), 0);
  if (comparisons <= COMPARISONS_MAX) return undefined;
  return {
    reason: 'unusable',
    files: changed.map(({ path }) => path),
    detail: `it adds ${bytes} bytes of patterns, with which git would compare its files for minutes or hours`,
  };
}
