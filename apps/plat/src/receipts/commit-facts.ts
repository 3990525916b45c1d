import type { Git } from '../git/git';

/** Whether a commit is in the history of another one, or that one itself. */
export async function isIn(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.try(['merge-base', '--is-ancestor', one, other])).code === 0;
}

export async function readParents(git: Git, commit: string): Promise<string[]> {
  const [, ...parents] = (await git.run(['rev-list', '--parents', '-n', '1', commit])).trim().split(' ');
  return parents;
}

export async function readTree(git: Git, commit: string): Promise<string> {
  return (await git.run(['rev-parse', `${commit}^{tree}`])).trim();
}

/** The commits from which two others diverged: several, if they merged each other; none without history in common. */
export async function listMergeBases(git: Git, one: string, other: string): Promise<string[]> {
  return (await git.try(['merge-base', '--all', one, other])).stdout.trim().split('\n').filter(Boolean);
}
