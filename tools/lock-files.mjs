import { execFileSync } from 'node:child_process';

/** The npm lock files of the repository, as git lists them: its own, and those of programs that tests and checks run. */
export function locksOf(root) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*package-lock.json'];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}
