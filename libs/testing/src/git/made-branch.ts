import { join } from 'node:path';
import { git } from './git-command';

/** The content of each file by its path; a link as `{ to }`, and a file that is taken away as `undefined`. */
export type MadeFiles = Readonly<Record<string, string | { to: string } | undefined>>;

/** Files that git can commit, and that no machine can check out. */
export const UNUSABLE_FILES: Readonly<Record<string, MadeFiles>> = {
  'a name of 300 characters': { 'before.txt': 'before\n', ['n'.repeat(300)]: 'long\n' },
  'a path of 5,000 characters': { 'before.txt': 'before\n', [`${'folder/'.repeat(713)}file`]: 'deep\n' },
  'a path that git forbids': { 'before.txt': 'before\n', 'git~1': 'forbidden\n' },
};

export interface MadeBranch {
  /** The folder of a bare repository. */
  bare: string;
  branch: string;
  /** On top of the files of `main`. */
  files: MadeFiles;
}

/**
 * Makes a branch with one commit on top of `main`, without a checkout, so that it may have files that cannot be checked
 * out.
 *
 * @returns the commit
 */
export async function makeBranch({ bare, branch, files }: MadeBranch): Promise<string> {
  const environment = { GIT_INDEX_FILE: join(bare, 'index-of-made-branch') };
  const run = async (args: string[], input?: string) =>
    (await git(bare, args, { environment, input })).trim();
  await run(['read-tree', 'refs/heads/main']);
  const entries: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) {
      entries.push(`0 ${'0'.repeat(40)}\t${path}\0`);
      continue;
    }
    const [mode, text] = typeof content === 'string' ? ['100644', content] : ['120000', content.to];
    entries.push(`${mode} ${await run(['hash-object', '-w', '--stdin'], text)}\t${path}\0`);
  }
  await run(['-c', 'core.protectNTFS=false', 'update-index', '-z', '--index-info'], entries.join(''));
  const tree = await run(['write-tree']);
  const made = ['commit-tree', '-p', 'refs/heads/main', '-m', `Work on ${branch}`, tree];
  const commit = await run(made);
  await run(['update-ref', `refs/heads/${branch}`, commit]);
  return commit;
}
