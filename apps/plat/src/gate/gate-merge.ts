import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { shellQuote } from '../terminal/shell-quote';
import { carriedLines, reachedFrom, readCommitBodies } from './carried-lines';
import { requireCleanTree } from './checkout';
import { restoreAfter } from './checkout-state';
import { clearGateRefs, fetchArguments, fetchBranches, gateRef, readGateRefs } from './gate-refs';
import { gitIn, type Git } from './git';
import { leftBehind, type LeftBehind } from './local-commits';
import { mergeRef } from './own-merge';
import { COMMIT_ARGUMENTS, squashArguments, squashSource, type Skip } from './squash';

/** A source that is in the merge. */
export interface MergedSource {
  sourceBranch: string;
  /** Tip of the branch as it was fetched. */
  sourceCommit: string;
  /** Its squash commit. */
  commitId: string;
  /** Message of the squash commit: the name and the carried lines. */
  message: string;
}

/** A source that is not in the merge, and why. */
export interface SkippedSource extends Skip {
  sourceBranch: string;
  /** Absent when the branch is missing. */
  sourceCommit?: string;
}

/** The prospective merge, checked out as the local target branch. */
export interface GateMerge {
  targetBranch: string;
  /** Tip of the target that the merge stands on. */
  targetCommit: string;
  /** What is to be built and pushed; equal to targetCommit when every source was skipped. */
  mergeCommit: string;
  merged: MergedSource[];
  skipped: SkippedSource[];
  /** Where the local target branch stood, when it had commits that are not in the merge; another ref holds them. */
  leftBehind?: LeftBehind;
}

export interface GateMergeInput {
  /** In the order of merging; names as `requireGateBranches` accepts them. */
  sources: readonly string[];
  targetBranch: string;
  /** The first paragraph of the commit message of each branch that was found; others may be there as well. */
  messages(found: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Squash-merges each source in turn onto a fresh checkout of the target. Whatever fails puts the checkout back to
 * where it stood. Spec: Client, plat exec gate-merge; Decision G5.
 *
 * @throws Failure DIRTY_TREE, NO_SUCH_TARGET, LOCAL_COMMITS, CHECKOUT_MOVED, GIT_FAILED, INTERRUPTED, or what
 * `messages` throws; nothing is merged then
 */
export async function gateMerge(git: Git, input: GateMergeInput, progress: Progress): Promise<GateMerge> {
  const { targetBranch, sources } = input;
  const head = await requireCleanTree(git);
  await clearGateRefs(git);
  const branches = [targetBranch, ...sources];
  await progress(`Fetching ${branches.join(', ')}`, fetchBranches(git, branches));
  const { tips, local } = await readGateRefs(git, targetBranch);
  const targetCommit = tips.get(targetBranch);
  if (targetCommit === undefined) throw noSuchTarget(targetBranch);
  const left = await leftBehind(git, { branch: targetBranch, from: local, onto: targetCommit });
  const ready = await readySources(git, input, tips);
  const before = { ...head, target: { branch: targetBranch, commit: local } };
  try {
    // The local target branch is moved last: a merge that is cut short leaves it where it stood.
    await git.run(detachArguments(targetBranch));
    const gate = await mergeSources(git, { targetBranch, targetCommit, sources, ready, progress });
    await git.run(['update-ref', mergeRef(targetBranch), gate.mergeCommit]);
    await git.run(checkoutArguments(targetBranch, gate.mergeCommit));
    return { ...gate, ...(left && { leftBehind: left }) };
  } catch (error) {
    // Without the signal: what was interrupted still has to be put back.
    throw await restoreAfter(error, gitIn(git.folder), before);
  }
}

/** A source that was fetched, with its whole message: the name, and the lines that its commits carry. */
type ReadySource = Omit<MergedSource, 'commitId'>;

/** The sources that are there, by their branch. */
async function readySources(
  git: Git,
  { targetBranch, sources, messages }: GateMergeInput,
  tips: ReadonlyMap<string, string>,
): Promise<Map<string, ReadySource>> {
  const found = sources.filter((source) => tips.has(source));
  const names = await messages(found);
  const commits = await readCommitBodies(git, targetBranch, found);
  return new Map(
    found.map((sourceBranch) => {
      const sourceCommit = tips.get(sourceBranch) ?? '';
      const carried = carriedLines(reachedFrom(sourceCommit, commits).map(({ body }) => body));
      const name = names.get(sourceBranch) ?? '';
      const message = carried.length === 0 ? name : `${name}\n\n${carried.join('\n')}`;
      return [sourceBranch, { sourceBranch, sourceCommit, message }];
    }),
  );
}

interface Merging {
  targetBranch: string;
  targetCommit: string;
  sources: readonly string[];
  /** Without the sources that are missing. */
  ready: ReadonlyMap<string, ReadySource>;
  progress: Progress;
}

async function mergeSources(git: Git, merging: Merging): Promise<GateMerge> {
  const { targetBranch, targetCommit, sources, ready, progress } = merging;
  const merged: MergedSource[] = [];
  const skipped: SkippedSource[] = [];
  for (const sourceBranch of sources) {
    const source = ready.get(sourceBranch);
    if (source === undefined) {
      skipped.push({ sourceBranch, reason: 'missing' });
      continue;
    }
    const made = await progress(`Merging ${sourceBranch}`, squashSource(git, sourceBranch, source.message));
    if (typeof made === 'string') merged.push({ ...source, commitId: made });
    else skipped.push({ sourceBranch, sourceCommit: source.sourceCommit, ...made });
  }
  const commits = merged.map(({ commitId }) => commitId);
  await requireOwnChain(git, targetCommit, commits);
  return { targetBranch, targetCommit, mergeCommit: commits.at(-1) ?? targetCommit, merged, skipped };
}

/** What is reported is what was made here: each commit on the one before, and nobody's between them. */
async function requireOwnChain(git: Git, base: string, commits: readonly string[]): Promise<void> {
  if (commits.length === 0) return;
  const listed = await git.run(['rev-list', '--no-walk=unsorted', '--parents', ...commits]);
  const expected = commits.map((commit, at) => `${commit} ${commits[at - 1] ?? base}`);
  if (listed.trim() === expected.join('\n')) return;
  throw new Failure('CHECKOUT_MOVED', 'Somebody committed in this checkout while the sources were merged.', {
    details: { commits: [...commits] },
    next: 'repeat the command when nobody works in the checkout; what was committed is in git reflog',
  });
}

/** The commands of a gate, as `--dry-run` prints them. Decision G2. */
export function plannedGateMerge(sources: readonly string[], targetBranch: string): string[] {
  const git = (args: readonly string[]) => shellQuote(['git', ...args]);
  return [
    ...[targetBranch, ...sources].map((branch) => git(fetchArguments(branch))),
    git(detachArguments(targetBranch)),
    ...sources.flatMap((source) => [git(squashArguments(source)), git(COMMIT_ARGUMENTS)]),
    git(checkoutArguments(targetBranch, 'HEAD')),
  ];
}

function detachArguments(targetBranch: string): string[] {
  return ['checkout', '--quiet', '--detach', gateRef(targetBranch)];
}

function checkoutArguments(targetBranch: string, commitId: string): string[] {
  return ['checkout', '--quiet', '--no-track', '-B', targetBranch, commitId];
}

function noSuchTarget(targetBranch: string): Failure {
  return new Failure('NO_SUCH_TARGET', `origin has no branch ${targetBranch}.`, {
    details: { targetBranch },
    next: 'repeat the command with --target-branch <branch>',
  });
}
