import { commitOf } from '../checkout/checkout';
import { type Git, gitFailure } from '../git/git';
import { ORIGIN } from '../origin/origin';
import { withoutBranchHook } from '../push/branch-hook';
import type { Keeper } from '../sealed-log/demand-consistency';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';

/** The file of each commit of the ref. */
const FILE = 'checkpoint';

/** The checkpoint that the ref of the repository holds. */
export interface HeldCheckpoint {
  commitId: string;
  /** The signed note. */
  note: string;
}

/** The ref of a tenant's checkpoints. @param tenantId has been checked to be an id */
export const checkpointRef = (tenantId: string): string => `refs/plat/checkpoints/${tenantId}`;

/**
 * Reads the ref from origin, without a ref of the checkout.
 *
 * @returns undefined if origin has no such ref
 * @throws Failure CHECKPOINT_REF_DAMAGED, GIT_FAILED
 */
export async function readHeld(git: Git, ref: string): Promise<HeldCheckpoint | undefined> {
  const listed = await git.run(['ls-remote', '--', ORIGIN, ref]);
  const line = listed.split('\n').find((one) => one.endsWith(`\t${ref}`));
  const commitId = line?.split('\t')[0];
  if (commitId === undefined) return undefined;
  if ((await commitOf(git, commitId)) === undefined) {
    const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    await git.run(['fetch', ...options, '--no-auto-maintenance', '--refmap=', ORIGIN, ref]);
  }
  const file = await git.try(['cat-file', 'blob', `${commitId}:${FILE}`]);
  if (file.code === 0) return { commitId, note: file.stdout };
  throw refDamaged(ref, `its commit ${commitId} has no file ${FILE}`);
}

/**
 * Pushes a checkpoint onto what the ref held, without force.
 *
 * @returns the commit; undefined if the ref has moved meanwhile
 * @throws Failure CHECKPOINT_REJECTED, GIT_FAILED
 */
export async function pushCheckpoint(
  git: Git,
  ref: string,
  { note, title, onto }: { note: string; title: string; onto: string | undefined },
): Promise<string | undefined> {
  const blob = (await git.run(['hash-object', '-w', '--stdin'], note)).trim();
  const tree = (await git.run(['mktree'], `100644 blob ${blob}\t${FILE}\n`)).trim();
  const person = ['-c', 'user.name=plat', '-c', 'user.email=plat@localhost', '-c', 'commit.gpgSign=false'];
  const parent = onto === undefined ? [] : ['-p', onto];
  const commitId = (await git.run([...person, 'commit-tree', tree, ...parent, '-m', title])).trim();
  const args = await withoutBranchHook(git, pushArguments(ref, commitId));
  const answer = await git.try(args);
  if (answer.code === 0) return commitId;
  const rejection = /^!\t\S+\t(.+)$/m.exec(answer.stdout)?.[1];
  if (rejection === undefined) throw gitFailure(args, answer);
  if (MOVED.test(rejection)) return undefined;
  const said = printableLine(`${rejection} ${answer.stderr.trim()}`);
  throw new Failure('CHECKPOINT_REJECTED', `origin rejected the push to ${ref}: ${said}`, {
    details: { ref, rejection },
    next: `let your identity push to refs/plat/checkpoints/* of origin`,
  });
}

/** git's reasons if another push came first. */
const MOVED =
  /fetch first|non-fast-forward|stale info|reference already exists|failed to update ref|cannot lock ref|incorrect old value/;

/** The push of a checkpoint's commit. */
export function pushArguments(ref: string, commitId: string): string[] {
  const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no'];
  return ['push', ...options, ORIGIN, `${commitId}^0:${ref}`];
}

/**
 * The ref, as the failure of a log that contradicts it names it. Only a person moves it, who knows why the log has changed:
 * this client never replaces what was kept.
 */
export function refAsKeeper(ref: string, { commitId }: HeldCheckpoint): Keeper {
  const former = `${ref.replace('/checkpoints/', '/former-checkpoints/')}/${commitId.slice(0, 12)}`;
  const move = ['git', 'push', '--atomic', ORIGIN, `${commitId}:${former}`, `:${ref}`];
  return {
    holds: `${ref} of ${ORIGIN} holds`,
    accept: nextStep(
      'if the change is accepted, who has the right to the repository moves the ref away and keeps it:',
      move,
    ),
  };
}

/** The failure of a ref that no recording has written. */
export const refDamaged = (ref: string, why: string): Failure =>
  new Failure(
    'CHECKPOINT_REF_DAMAGED',
    printableLine(`${ref} of origin holds no checkpoint that counts: ${why.replace(/\.$/, '')}.`),
    {
      details: { ref },
      next: nextStep('git fetch origin', [ref], '&& git log FETCH_HEAD, and ask who has written it'),
    },
  );
