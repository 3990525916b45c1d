import { inBareRepository } from '../git/bare-repository';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { listFiles } from './tree-size';

/** Signals by which a program ends itself, or is ended for a fault of its own. A machine without memory sends SIGKILL. */
const CRASHES: readonly unknown[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'];

/**
 * Whether the files of a commit stand in git's order, each once. git reads two trees in step: it takes a file of a tree in
 * another order for one that was removed and added, and so merges it wrongly without a word. A server that does not examine
 * what is pushed takes such a tree.
 *
 * @throws Failure GIT_FAILED
 */
export async function isOrdered(git: Git, commit: string): Promise<boolean> {
  const listed = await listFiles(git, commit);
  if (listed === undefined) return true;
  let before = listed.subarray(0, 0);
  for (let begin = 0, end = listed.indexOf(0); end >= 0; begin = end + 1, end = listed.indexOf(0, begin)) {
    const path = listed.subarray(begin, end);
    if (begin > 0 && before.compare(path) >= 0) return false;
    before = path;
  }
  return true;
}

/**
 * The outcome of a merge at which git crashed, if its source must be the cause, such as by a file whose name has a slash.
 *
 * @param onto the commit below, whose trees have to be as git writes them
 * @throws the error itself if git did not crash, or if the target may be the cause
 */
export async function requireCrashOfSource(
  git: Git,
  onto: string,
  error: unknown,
): Promise<{ outcome: 'malformed' }> {
  const isCrash = error instanceof Failure && CRASHES.includes(error.details?.gitSignal);
  if (!isCrash || !(await isAsWritten(git, onto))) throw error;
  return { outcome: 'malformed' };
}

/** Whether git writes the trees of a commit as they are, from the list of its files. */
async function isAsWritten(git: Git, commit: string): Promise<boolean> {
  const tree = await git.run(['rev-parse', `${commit}^{tree}`]);
  const files = await git.bytes(['ls-tree', '-r', '-z', '--full-tree', commit]);
  return inBareRepository(git, async (bare) => {
    const indexed = bare.withIndex();
    const read = await indexed.try(['update-index', '-z', '--index-info'], files);
    return read.code === 0 && (await indexed.try(['write-tree', '--missing-ok'])).stdout === tree;
  });
}
