import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { shellQuote } from '../terminal/shell-quote';
import { carriedLines, reachedFrom, readCommitBodies } from './carried-lines';
import { requireCleanTree } from './checkout';
import { restoreAfter } from './checkout-state';
import { clearGateRefs, fetchArguments, fetchBranches, gateRef, readGateRefs } from './gate-refs';
import { gitIn, type Git } from './git';
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
 * @throws Failure DIRTY_TREE, NO_SUCH_TARGET, GIT_FAILED, INTERRUPTED, or what `messages` throws; nothing is merged then
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
  const ready = await readySources(git, input, tips);
  const before = { ...head, target: { branch: targetBranch, commit: local } };
  try {
    await git.run(checkoutArguments(targetBranch));
    return await mergeSources(git, { targetBranch, targetCommit, sources, ready, progress });
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
  const merged: ReadySource[] = [];
  const skipped: SkippedSource[] = [];
  for (const sourceBranch of sources) {
    const source = ready.get(sourceBranch);
    if (source === undefined) {
      skipped.push({ sourceBranch, reason: 'missing' });
      continue;
    }
    const skip = await progress(`Merging ${sourceBranch}`, squashSource(git, sourceBranch, source.message));
    if (skip) skipped.push({ sourceBranch, sourceCommit: source.sourceCommit, ...skip });
    else merged.push(source);
  }
  const commitIds = await commitsSince(git, targetCommit);
  return {
    targetBranch,
    targetCommit,
    mergeCommit: commitIds.at(-1) ?? targetCommit,
    merged: merged.map((source, at) => ({ ...source, commitId: commitIds[at] ?? targetCommit })),
    skipped,
  };
}

/** The commits of the checked-out branch on top of the given one, oldest first. */
async function commitsSince(git: Git, base: string): Promise<string[]> {
  const listed = await git.run(['rev-list', '--reverse', `${base}..HEAD`]);
  return listed.split('\n').filter((commit) => commit !== '');
}

/** The commands of a gate, as `--dry-run` prints them. Decision G2. */
export function plannedGateMerge(sources: readonly string[], targetBranch: string): string[] {
  const git = (args: readonly string[]) => shellQuote(['git', ...args]);
  return [
    ...[targetBranch, ...sources].map((branch) => git(fetchArguments(branch))),
    git(checkoutArguments(targetBranch)),
    ...sources.flatMap((source) => [git(squashArguments(source)), git(COMMIT_ARGUMENTS)]),
  ];
}

function checkoutArguments(targetBranch: string): string[] {
  return ['checkout', '--quiet', '--no-track', '-B', targetBranch, gateRef(targetBranch)];
}

function noSuchTarget(targetBranch: string): Failure {
  return new Failure('NO_SUCH_TARGET', `origin has no branch ${targetBranch}.`, {
    details: { targetBranch },
    next: 'repeat the command with --target-branch <branch>',
  });
}
