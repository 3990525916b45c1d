import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { commitOf } from './checkout';

interface Operation {
  what: string;
  /** The command that ends it and restores the former checkout. */
  abort: NextStep;
}

/** Keyed by the file in the git folder that exists during the operation. */
const BY_FILE: Readonly<Record<string, Operation>> = {
  'rebase-merge': { what: 'A rebase', abort: nextStep('git rebase --abort') },
  'rebase-apply': { what: 'A rebase, or git am,', abort: nextStep('git rebase --abort, or git am --abort') },
  MERGE_HEAD: { what: 'A merge', abort: nextStep('git merge --abort') },
  BISECT_LOG: { what: 'A bisection', abort: nextStep('git bisect reset') },
};

/** Keyed by a ref, which git need not store as a file. */
const BY_REF: Readonly<Record<string, Operation>> = {
  CHERRY_PICK_HEAD: { what: 'A cherry-pick', abort: nextStep('git cherry-pick --abort') },
  REVERT_HEAD: { what: 'A revert', abort: nextStep('git revert --abort') },
};

/**
 * Refuses an unfinished operation in the checkout, which would go on from the merge instead of from HEAD.
 *
 * @throws Failure UNFINISHED_OPERATION
 */
export async function requireNothingUnfinished(git: Git): Promise<void> {
  const found = (await byFile(git)) ?? (await byRef(git));
  if (found === undefined) return;
  throw new Failure('UNFINISHED_OPERATION', `${found.what} is not finished in the checkout ${git.folder}.`, {
    next: nextStep('finish it, or give it up:', found.abort, '; then repeat the command'),
  });
}

async function byFile(git: Git): Promise<Operation | undefined> {
  const names = Object.keys(BY_FILE);
  const listed = await git.run(['rev-parse', ...names.flatMap((name) => ['--git-path', name])]);
  const paths = listed.split('\n');
  for (const [at, name] of names.entries()) {
    if (await isThere(resolve(git.folder, paths[at] ?? name))) return BY_FILE[name];
  }
  return undefined;
}

async function byRef(git: Git): Promise<Operation | undefined> {
  for (const [ref, operation] of Object.entries(BY_REF)) {
    if ((await commitOf(git, ref)) !== undefined) return operation;
  }
  return undefined;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
