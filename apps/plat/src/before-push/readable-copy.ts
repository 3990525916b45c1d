import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../git/git';

/**
 * Runs work on a repository with the objects of a checkout and some branches, as a remote would have them. It is removed
 * afterwards.
 *
 * @param branches ids of commits, by name
 * @throws Failure GIT_FAILED
 */
export async function withReadableCopy<T>(
  git: Git,
  branches: ReadonlyMap<string, string>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const objects = ['rev-parse', '--path-format=absolute', '--git-path', 'objects'];
  const store = (await git.run(objects)).replace(/\n$/, '');
  const folder = await mkdtemp(join(tmpdir(), 'plat-judge-'));
  try {
    await mkdir(join(folder, 'refs'));
    await mkdir(join(folder, 'objects', 'info'), { recursive: true });
    await writeFile(join(folder, 'config'), '[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n');
    await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(folder, 'objects', 'info', 'alternates'), `${quoted(store)}\n`);
    const refs = [...branches].map(([name, id]) => `${id} refs/heads/${name}\n`).sort();
    await writeFile(join(folder, 'packed-refs'), refs.join(''));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** git reads a path in quotes as a string of C. A path may begin with a quote or a number sign, or have a line break. */
function quoted(path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
