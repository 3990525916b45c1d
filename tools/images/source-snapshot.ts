import { appendFile, cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, testEnvironment } from '@plat/testing';

const run = promisify(execFile);
const MINUTE = '2026-11-21T12:00:00Z';
const AUTHOR = {
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_AUTHOR_DATE: MINUTE,
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_COMMITTER_DATE: MINUTE,
};

const git = async (cwd: string, ...args: string[]) =>
  (await run('git', args, { cwd, maxBuffer: 2 ** 26, env: { ...testEnvironment(), ...AUTHOR } })).stdout;

/**
 * Copies the repository's files as they are now, uncommitted changes included, into a repository of their own with one
 * commit. Installed packages are linked.
 */
export async function snapshotSources(root: string, folder: string): Promise<void> {
  const listed = await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const deleted = new Set((await git(root, 'ls-files', '-z', '--deleted')).split('\0'));
  for (const file of new Set(listed.split('\0').filter((name) => name !== '' && !deleted.has(name)))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message=snapshot');
  await linkPackages(root, folder);
}

/** Changes a file of a snapshot, and commits that. */
export async function changeSnapshot(
  folder: string,
  file: string,
  change: (text: string) => string,
): Promise<void> {
  const path = join(folder, file);
  await writeFile(path, change(await readFile(path, 'utf8')));
  await git(folder, 'commit', '--quiet', '--message=change', '--', file);
}

/** Tags a snapshot's commit, as a release does. */
export async function tagSnapshot(folder: string, name: string): Promise<void> {
  await git(folder, 'tag', name);
}

/** Checks a snapshot's commit out in another folder. */
export async function cloneSnapshot(snapshot: string, folder: string): Promise<void> {
  await git(snapshot, 'clone', '--quiet', snapshot, folder);
  await linkPackages(snapshot, folder);
}

async function linkPackages(root: string, folder: string): Promise<void> {
  // The pattern of .gitignore means a folder, and this is a link.
  await appendFile(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  await symlink(await realpath(join(root, 'node_modules')), join(folder, 'node_modules'));
}
