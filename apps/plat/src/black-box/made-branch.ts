import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { gitIn } from '../gate/git';

/** The content of each file by its path; a link as `{ to }`, and a file that is taken away as `undefined`. */
export type MadeFiles = Readonly<Record<string, string | { to: string } | undefined>>;

/** Files that git can commit, and that no machine can check out. */
export const MADE_FILES: Readonly<Record<string, MadeFiles>> = {
  'a name of 300 characters': { 'before.txt': 'before\n', ['n'.repeat(300)]: 'long\n' },
  'a path of 5,000 characters': { 'before.txt': 'before\n', [`${'folder/'.repeat(713)}file`]: 'deep\n' },
  'a path that git forbids': { 'before.txt': 'before\n', 'git~1': 'forbidden\n' },
};

/**
 * Pushes a branch with one commit on top of origin's main, made without a checkout, so that it may have files that
 * cannot be checked out.
 *
 * @param folder of a clone; its checkout, index and branches stay as they are
 * @returns the commit
 */
export async function pushMade(folder: string, branch: string, files: MadeFiles): Promise<string> {
  const index = join(folder, '.git', `index-${randomUUID()}`);
  const git = gitIn(folder, undefined, { GIT_INDEX_FILE: index });
  await git.run(['read-tree', 'origin/main']);
  const entries: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) {
      entries.push(`0 ${'0'.repeat(40)}\t${path}\0`);
      continue;
    }
    const [mode, text] = typeof content === 'string' ? ['100644', content] : ['120000', content.to];
    const blob = (await git.run(['hash-object', '-w', '--stdin'], text)).trim();
    entries.push(`${mode} ${blob}\t${path}\0`);
  }
  await git.run(['-c', 'core.protectNTFS=false', 'update-index', '-z', '--index-info'], entries.join(''));
  const tree = (await git.run(['write-tree'])).trim();
  const person = ['-c', 'user.name=Maker', '-c', 'user.email=maker@example.com'];
  const made = [...person, 'commit-tree', '-p', 'origin/main', '-m', `Work on ${branch}`, tree];
  const commit = (await git.run(made)).trim();
  await git.run(['push', '--quiet', 'origin', `${commit}:refs/heads/${branch}`]);
  return commit;
}
