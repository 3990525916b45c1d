import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { shellQuote } from '../terminal/shell-quote';
import { readCarriedLines } from './carried-lines';
import { rememberCheckout, restoreCheckout, type CheckoutState } from './checkout-state';
import { clearGateRefs, fetchArguments, fetchBranch, gateRef } from './gate-refs';
import { gitIn, type Git } from './git';
import { COMMIT_ARGUMENTS, squashArguments, squashSource, type SkipReason } from './squash';

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
export interface SkippedSource {
  sourceBranch: string;
  /** Absent when the branch is missing. */
  sourceCommit?: string;
  reason: SkipReason;
  /** The files that conflict. */
  files?: string[];
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
  /** The first paragraph of the commit message of each source that was found, by its branch. */
  messages(found: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Squash-merges each source in turn onto a fresh checkout of the target. The checkout must be clean. Whatever
 * fails puts it back to where it stood. Spec: Client, plat exec gate-merge; Decision G5.
 *
 * @throws Failure NO_SUCH_TARGET, GIT_FAILED, INTERRUPTED, or what `messages` throws; nothing is merged then
 */
export async function gateMerge(git: Git, input: GateMergeInput, progress: Progress): Promise<GateMerge> {
  const { targetBranch, sources } = input;
  await clearGateRefs(git);
  const targetCommit = await progress(`Fetching ${targetBranch}`, fetchBranch(git, targetBranch));
  if (targetCommit === undefined) throw noSuchTarget(targetBranch);
  const found: FetchedSource[] = [];
  for (const sourceBranch of sources) {
    const sourceCommit = await progress(`Fetching ${sourceBranch}`, fetchBranch(git, sourceBranch));
    found.push({ sourceBranch, sourceCommit });
  }
  const messages = await input.messages(found.filter(isThere).map((source) => source.sourceBranch));
  const before = await rememberCheckout(git, targetBranch);
  try {
    await git.run(checkoutArguments(targetBranch));
    const gate: GateMerge = {
      targetBranch,
      targetCommit,
      mergeCommit: targetCommit,
      merged: [],
      skipped: [],
    };
    for (const source of found) await addSource(git, gate, { source, messages, progress });
    return gate;
  } catch (error) {
    // Without the signal: what was interrupted still has to be put back.
    throw await afterRestoring(gitIn(git.folder), before, error);
  }
}

/** Puts the checkout back and returns what is to be thrown: the error, and how the checkout is if that failed too. */
async function afterRestoring(git: Git, before: CheckoutState, error: unknown): Promise<unknown> {
  try {
    await restoreCheckout(git, before);
    return error;
  } catch (second) {
    const [first, then] = [error, second].map((each) =>
      each instanceof Error ? each.message : String(each),
    );
    return new Failure(
      'CHECKOUT_NOT_RESTORED',
      `${first} The checkout was left in the middle of it: ${then}`,
      {
        next: `git reset --hard && git checkout ${before.branch ?? before.commit ?? before.target.branch}`,
      },
    );
  }
}

interface FetchedSource {
  sourceBranch: string;
  /** Undefined when the branch is missing. */
  sourceCommit: string | undefined;
}

interface Addition {
  source: FetchedSource;
  messages: ReadonlyMap<string, string>;
  progress: Progress;
}

/** Merges one source and records in the gate what became of it. */
async function addSource(git: Git, gate: GateMerge, { source, messages, progress }: Addition): Promise<void> {
  const { sourceBranch, sourceCommit } = source;
  const name = messages.get(sourceBranch);
  if (sourceCommit === undefined || name === undefined) {
    gate.skipped.push({ sourceBranch, reason: 'missing' });
    return;
  }
  const message = squashMessage(name, await readCarriedLines(git, gate.targetBranch, sourceBranch));
  const outcome = await progress(`Merging ${sourceBranch}`, squashSource(git, sourceBranch, message));
  if ('commitId' in outcome) {
    gate.mergeCommit = outcome.commitId;
    gate.merged.push({ sourceBranch, sourceCommit, commitId: outcome.commitId, message });
  } else gate.skipped.push({ sourceBranch, sourceCommit, ...outcome });
}

function isThere(source: FetchedSource): boolean {
  return source.sourceCommit !== undefined;
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

function squashMessage(name: string, carried: readonly string[]): string {
  return carried.length === 0 ? name : `${name}\n\n${carried.join('\n')}`;
}

function noSuchTarget(targetBranch: string): Failure {
  return new Failure('NO_SUCH_TARGET', `origin has no branch ${targetBranch}.`, {
    details: { targetBranch },
    next: 'repeat the command with --target-branch <branch>',
  });
}
