import { execFileSync } from 'node:child_process';

/** The npm lock files of the repository, as git lists them: its own, and those of programs that tests and checks run. */
export const locksOf = (root) => listFiles(root, '*package-lock.json');

/** The files that npm reads in place of a lock file next to them. */
export const shrinkwrapsOf = (root) => listFiles(root, '*npm-shrinkwrap.json');

function listFiles(root, files) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', files];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}
