import { randomBytes } from 'node:crypto';
import type { Git } from '../git/git';
import { listed } from '../git/listed';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

const MESSAGE = 'plat: changed while a gate was at work in the checkout';
/** git stash does not keep submodules. */
const CHANGES = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=all', '-z'];

/**
 * Moves the changes in the checkout, including untracked files, into git's stash. Drops them if all of them come from
 * an interrupted checkout of one of the commits, because they are then no person's work.
 *
 * @returns the stash entry's commit; undefined if there is nothing to keep
 */
export async function keepChanges(git: Git, commits: readonly string[]): Promise<string | undefined> {
  if ((await git.run(CHANGES)) === '') return undefined;
  const message = `${MESSAGE} (${randomBytes(4).toString('hex')})`;
  await git.run(['stash', 'push', '--quiet', '--include-untracked', '--message', message]);
  // Others may stash at the same moment, and git may find nothing to keep, so the topmost entry may be another's.
  const kept = (await entries(git)).find(({ subject }) => subject.endsWith(message))?.commit;
  if (kept === undefined) return undefined;
  for (const commit of commits) {
    if (!(await isHalfOf(git, kept, commit))) continue;
    await drop(git, kept);
    return undefined;
  }
  return kept;
}

/** Restores kept changes into the checkout, if nothing is in their way. */
export async function putBack(git: Git, kept: string): Promise<boolean> {
  if ((await git.try(['stash', 'apply', '--quiet', '--index', kept])).code !== 0) return false;
  await drop(git, kept);
  return true;
}

/** Drops an entry of the stash at any position. */
async function drop(git: Git, kept: string): Promise<void> {
  const entry = (await entries(git)).find(({ commit }) => commit === kept);
  if (entry) await git.run(['stash', 'drop', '--quiet', entry.selector]);
}

async function entries(git: Git): Promise<{ commit: string; selector: string; subject: string }[]> {
  const stashed = await git.run(['stash', 'list', '-z', '--format=%H %gd %gs']);
  return listed(stashed).map((line) => {
    const [commit = '', selector = '', ...subject] = line.split(' ');
    return { commit, selector, subject: subject.join(' ') };
  });
}

/** The error, with the place of the person's work that the gate took out of the checkout. */
export function withKept(error: unknown, kept: string): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const { code, details, exitCode } =
    error instanceof Failure
      ? error
      : { code: 'CHECKOUT_CHANGED' as const, details: {}, exitCode: undefined };
  return new Failure(code, `${message} What was changed in the checkout meanwhile is kept in git stash.`, {
    details: { ...details, keptChanges: kept },
    next: nextStep(
      'git stash apply',
      [kept],
      ', which brings the changes back; then repeat the command when no one works in the checkout',
    ),
    exitCode,
  });
}

/** Whether each change of the stash entry equals the commit's content at that path. */
async function isHalfOf(git: Git, kept: string, commit: string): Promise<boolean> {
  if (!(await isPartOf(git, { from: `${kept}^1`, to: kept, made: commit }))) return false;
  // The third parent holds the untracked files, if there are any.
  const { code, stdout } = await git.try(['ls-tree', '-r', '-z', '--name-only', `${kept}^3`]);
  if (code !== 0) return true;
  const others = new Set(await paths(git, commit, `${kept}^3`));
  return !listed(stdout).some((path) => others.has(path));
}

interface Change {
  from: string;
  to: string;
  /** The commit whose checkout over `from` may have been cut short. */
  made: string;
}

/** Whether `made` has the content of `to` at each path at which `from` and `to` differ. */
export async function isPartOf(git: Git, { from, to, made }: Change): Promise<boolean> {
  const differ = new Set(await paths(git, made, to));
  return !(await paths(git, from, to)).some((path) => differ.has(path));
}

async function paths(git: Git, from: string, to: string): Promise<string[]> {
  return listed(await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to]));
}
