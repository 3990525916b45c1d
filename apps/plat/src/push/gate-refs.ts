import { createHash, randomUUID } from 'node:crypto';
import { isAlive, processSpace } from '@plat/local';
import { commitOf } from '../checkout/checkout';
import { type Git, gitFailure, gitLike } from '../git/git';
import { ORIGIN } from '../origin/origin';

/**
 * The refs of a gate's fetched branches, separate from all refs that a person's git commands use. git keeps refs under
 * `refs/worktree` for each worktree, just as each worktree has its own lock of the checkout.
 */
const GATE_REFS = 'refs/worktree/plat/gate';

/** The refs into which `lookAtTip` fetches. Each exists only while it is read, and names the process and the time. */
const LOOK_REFS = 'refs/worktree/plat/look';

/** Longest time of a look. Its process may not be visible from here, so an older ref counts as left. */
const LOOK_MILLISECONDS_MAX = 24 * 3_600_000;

/** The private ref of a branch as the last gate fetched it. */
export function gateRef(branch: string): string {
  return `${GATE_REFS}/${branch}`;
}

/** Arguments that fetch one branch into its private ref only. */
export function fetchArguments(branch: string): string[] {
  return fetchInto(gateRef(branch), ORIGIN, branch);
}

function fetchInto(ref: string, remote: string, branch: string): string[] {
  return [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--refmap=',
    remote,
    `+refs/heads/${branch}:${ref}`,
  ];
}

/** Fetches one branch from origin into its private ref. A branch that origin lacks leaves no ref. */
async function fetchBranch(git: Git, branch: string): Promise<void> {
  if (await isFetched(git, fetchArguments(branch))) return;
  // git cannot remove a ref that is not there and whose name begins with that of another ref, as main/x with main.
  if ((await commitOf(git, gateRef(branch))) !== undefined) {
    await git.run(['update-ref', '-d', gateRef(branch)]);
  }
}

/** @returns whether the remote has the branch */
async function isFetched(git: Git, args: readonly string[]): Promise<boolean> {
  const answer = await git.try(args);
  if (answer.code === 0) return true;
  if (answer.stderr.includes("couldn't find remote ref")) return false;
  throw gitFailure(args, answer);
}

/** Fetches one branch and returns its tip on origin; undefined if origin has no such branch. */
export async function fetchTip(git: Git, branch: string): Promise<string | undefined> {
  await fetchBranch(git, branch);
  return commitOf(git, gateRef(branch));
}

/**
 * The tip of a branch on any remote, by name or address, with all of its commits. The refs of gates stay unchanged: a
 * look takes no lock, and may read another repository.
 */
export async function lookAtTip(git: Git, remote: string, branch: string): Promise<string | undefined> {
  await clearLeftLooks(git);
  const ref = `${LOOK_REFS}/${processSpaceName()}/${process.pid}/${Date.now()}/${randomUUID()}`;
  try {
    return (await isFetched(git, fetchInto(ref, remote, branch))) ? await commitOf(git, ref) : undefined;
  } finally {
    // Without the signal, so that an interrupted look leaves no ref either.
    await gitLike(git).try(['update-ref', '-d', ref]);
  }
}

/** Removes the refs of looks that were killed. */
async function clearLeftLooks(git: Git): Promise<void> {
  const refs = (await git.run(['for-each-ref', '--format=%(refname)', LOOK_REFS])).split('\n');
  const left = refs.filter((ref) => ref !== '' && isLeft(ref));
  // Another look may remove them at the same moment.
  for (const ref of left) await git.try(['update-ref', '-d', ref]);
}

function isLeft(ref: string): boolean {
  const [space, pid, since] = ref.slice(`${LOOK_REFS}/`.length).split('/');
  if (space === processSpaceName() && !isAlive(Number(pid))) return true;
  return Date.now() - Number(since) > LOOK_MILLISECONDS_MAX;
}

/** The process space as a hash, because it may have characters that a ref name must not have. */
function processSpaceName(): string {
  return createHash('sha256').update(processSpace()).digest('hex').slice(0, 16);
}

/** Most fetches at once. Common servers refuse more connections. */
const FETCHES_MAX = 4;

/**
 * Fetches each branch with a fetch of its own, some at a time. The first one runs alone, so that a question to the
 * person, such as whether a host is known, is asked once.
 *
 * @throws the first failure, after all fetches have ended
 */
export async function fetchBranches(git: Git, [first, ...others]: readonly string[]): Promise<void> {
  if (first === undefined) return;
  await fetchBranch(git, first);
  const waiting = others.values();
  const fetchInTurn = async () => {
    for (const branch of waiting) await fetchBranch(git, branch);
  };
  const lanes = Array.from({ length: Math.min(FETCHES_MAX, others.length) }, fetchInTurn);
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}

/** The commits of the private refs, by branch. */
export async function readTips(git: Git): Promise<Map<string, string>> {
  const listed = await git.run(['for-each-ref', '--format=%(objectname) %(refname)', GATE_REFS]);
  const lines = listed.split('\n').filter((line) => line !== '');
  const refs = lines.map((line) => line.split(' '));
  return new Map(refs.map(([commit = '', ref = '']) => [ref.slice(`${GATE_REFS}/`.length), commit]));
}

/** Removes the refs of an earlier gate: a stale `a` would block the ref of a new branch `a/b`. */
export async function clearGateRefs(git: Git): Promise<void> {
  const stale = await git.run(['for-each-ref', '--format=delete %(refname)', GATE_REFS]);
  if (stale !== '') await git.run(['update-ref', '--stdin'], stale);
}
