import { join } from 'node:path';
import type { Git } from '../git/git';
import { listCheckedOutSubmodules, requireUnalteredLinks } from '../git/git-links';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { commitOf, currentBranch } from './checkout';
import { requireNothingHidden } from './hidden-files';

/** Untracked files are the gate's own and are ignored. */
const STATUS = [
  'status',
  '--porcelain=v1',
  '--untracked-files=no',
  '--ignore-submodules=dirty',
  '--no-renames',
  '-z',
];

/**
 * Checks that the gate tested the merge: the merge is still checked out on the target branch, and no tracked file was
 * changed meanwhile, by the gate itself or by a person.
 *
 * @throws Failure CHECKOUT_MOVED, GATE_CHANGED_FILES, HIDDEN_FILES
 */
export async function requireStanding(
  git: Git,
  targetBranch: string | undefined,
  mergeCommit: string,
): Promise<void> {
  await requireUnalteredLinks(git);
  const [branch, commit] = [await currentBranch(git), await commitOf(git, 'HEAD')];
  if (branch !== targetBranch || commit !== mergeCommit) {
    throw moved({ targetBranch, mergeCommit, branch, commit });
  }
  await requireNothingHidden(git);
  const files = await listChangedFiles(git);
  if (files.length === 0) return;
  const shown = files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
  throw new Failure(
    'GATE_CHANGED_FILES',
    `Files were changed while the merge was gated: ${shown}. Nothing was pushed.`,
    {
      details: { mergeCommit, files },
      next: 'git diff, to see what; git stash or git checkout -- . to undo it; then repeat the command, which gates again',
    },
  );
}

/** The changed files of the checkout and of its submodules. git enters no submodule by itself. */
async function listChangedFiles(git: Git): Promise<string[]> {
  const files = listed(await git.run(STATUS)).map((entry) => entry.slice(3));
  for (const submodule of await listCheckedOutSubmodules(git)) {
    const entries = listed(await submodule.git.run(['-C', submodule.path, ...STATUS]));
    files.push(...entries.map((entry) => join(submodule.path, entry.slice(3))));
  }
  return files;
}

interface Moved {
  /** Undefined: no branch was checked out. */
  targetBranch: string | undefined;
  mergeCommit: string;
  branch: string | undefined;
  commit: string | undefined;
}

function moved({ targetBranch, mergeCommit, branch, commit }: Moved): Failure {
  const there = `${branch ?? 'no branch'} at ${commit ?? 'no commit'}`;
  const keep =
    commit === undefined
      ? undefined
      : nextStep('keep what is there:', ['git', 'branch', `kept-${commit.slice(0, 12)}`, commit], ';');
  return new Failure(
    'CHECKOUT_MOVED',
    `The checkout was on ${targetBranch ?? 'no branch'} at ${mergeCommit} when the gate began, and is on ${there} now. Nothing was pushed.`,
    {
      details: { targetBranch, mergeCommit, branch, commitId: commit },
      next: nextStep(keep, 'then repeat the command, which gates the merge again'),
    },
  );
}
