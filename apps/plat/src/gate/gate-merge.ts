import { commitOf, type Head, requireCleanTree } from '../checkout/checkout';
import { type CheckoutState, restoreAfter } from '../checkout/checkout-state';
import { findLeftBehind, type LeftBehind, requireHeadKept } from '../checkout/local-commits';
import { mergeRef, ontoRef, sourcesRef, SQUASH_REF, writeSources } from '../checkout/own-merge';
import {
  checkOut,
  detachArguments,
  moveBranch,
  onBranchArguments,
  requireNotElsewhere,
  requirePlace,
} from '../checkout/place';
import { requireNothingUnfinished } from '../checkout/unfinished';
import { type Git, gitLike } from '../git/git';
import { requireIdentity } from '../git/identity';
import { requireSigning } from '../git/signing';
import { carriedLines, reachedFrom, readCommitBodies } from '../merge/carried-lines';
import { findFilesTooLarge } from '../merge/files-size';
import { mergeArguments } from '../merge/merge-by-recipe';
import { commitArguments, type Skip, type Squash, squashSource, unlessTooLarge } from '../merge/squash';
import { findSubmoduleFault } from '../merge/submodule-fault';
import { findTreeFault, findUnusablePaths, isOfCheckout } from '../merge/tree-fault';
import { requireWholeHistory } from '../origin/whole-history';
import { clearGateRefs, fetchArguments, fetchBranches, gateRef, readTips } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import type { Progress } from '../terminal/progress';
import { shellQuote } from '../terminal/shell-quote';
import { resetKilledCheckout } from '../worktree/killed-checkout';
import { unstableFiles } from '../worktree/unstable-files';
import { findProjectFileFault } from './project-file-fault';

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

/** A source that is not in the merge, with the reason. */
export interface SkippedSource extends Skip {
  sourceBranch: string;
  /** Absent if the branch is missing. */
  sourceCommit?: string;
}

/** The prospective merge, checked out as the local target branch. */
export interface GateMerge {
  targetBranch: string;
  /** The target's tip below the merge. */
  targetCommit: string;
  /** The commit to build and push; equal to targetCommit if every source was skipped. */
  mergeCommit: string;
  merged: MergedSource[];
  skipped: SkippedSource[];
  /** The former local target branch, if it had commits that are not in the merge; another ref holds them. */
  leftBehind?: LeftBehind;
}

export interface GateMergeInput {
  /** In the order of merging; names as `requireGateBranches` accepts them. */
  sources: readonly string[];
  targetBranch: string;
  /** The first paragraph of the commit message of each found branch. May contain other branches as well. */
  messages(found: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether HEAD is left on no branch, at the merge, and no local branch is moved. */
  onNoBranch?: boolean;
}

/**
 * Squash-merges each source in turn onto a fresh checkout of the target. Any failure restores the checkout. The steps
 * that wait come first: the fetch and the messages. After them the gate refuses if a person has changed the checkout.
 * Changes that a person makes later are neither merged nor lost. Spec: Client, plat exec gate-merge; Rule G5.
 *
 * @throws Failure SHALLOW_CHECKOUT, UNFINISHED_OPERATION, DIRTY_TREE, NO_SUCH_TARGET, LOCAL_COMMITS,
 *   CHECKED_OUT_ELSEWHERE, CHECKOUT_MOVED, FILES_IN_THE_WAY, SUBMODULE_UNUSABLE, NO_IDENTITY, CANNOT_SIGN, GIT_TOO_OLD,
 *   GIT_FAILED, INTERRUPTED, or the error of `messages`; nothing is merged then
 */
export async function gateMerge(git: Git, input: GateMergeInput, progress: Progress): Promise<GateMerge> {
  const { targetBranch, sources } = input;
  await requireReady(git);
  await clearGateRefs(git);
  const branches = [targetBranch, ...sources];
  await progress(`Fetching ${branches.join(', ')}`, fetchBranches(git, branches));
  const tips = await readTips(git);
  const targetCommit = tips.get(targetBranch);
  if (targetCommit === undefined) throw noSuchTarget(targetBranch);
  const ready = await readySources(git, input, tips);
  await requireIdentity(git);
  await requireSigning(git, targetCommit);
  const head = await requireReady(git);
  if (head.branch === undefined) await requireHeadKept(git, head.commit, [...tips.values()]);
  const { local, left } = await requireMovable(git, input, targetCommit);
  const made = [targetCommit];
  const before: CheckoutState = { ...head, target: { branch: targetBranch, commit: local }, made };
  try {
    await checkOut(git, targetCommit);
    const gate = await mergeSources(git, { targetBranch, targetCommit, sources, ready, made, progress });
    if (input.onNoBranch) {
      await requirePlace(git, gate.mergeCommit);
      return gate;
    }
    // The local target branch is moved last, so that an interrupted merge leaves it where it was.
    before.movedTo = gate.mergeCommit;
    await takeBranch(git, gate, local);
    return { ...gate, leftBehind: left };
  } catch (error) {
    // Without the signal, because an interrupted checkout still has to be restored.
    throw await restoreAfter(error, gitLike(git), before);
  }
}

/** The local target branch, if the gate may move it. @throws Failure LOCAL_COMMITS, CHECKED_OUT_ELSEWHERE */
async function requireMovable(
  git: Git,
  { targetBranch, onNoBranch }: GateMergeInput,
  onto: string,
): Promise<{ local?: string; left?: LeftBehind }> {
  if (onNoBranch) return {};
  const local = await commitOf(git, `refs/heads/${targetBranch}`);
  const left = await findLeftBehind(git, { branch: targetBranch, from: local, onto });
  await requireNotElsewhere(git, targetBranch);
  return { local, left };
}

/** The position of HEAD, if a gate can begin in the checkout. */
async function requireReady(git: Git): Promise<Head> {
  await requireWholeHistory(git);
  await requireNothingUnfinished(git);
  return requireCleanTree(git);
}

/** A fetched source with its whole message: the name, and the lines that its commits carry. */
type ReadySource = Omit<MergedSource, 'commitId'>;

/** The sources that origin has, by branch. */
async function readySources(
  git: Git,
  { targetBranch, sources, messages }: GateMergeInput,
  tips: ReadonlyMap<string, string>,
): Promise<Map<string, ReadySource>> {
  const found = sources.filter((source) => tips.has(source));
  const names = await messages(found);
  const tipOf = (branch: string) => tips.get(branch) ?? '';
  const commits = await readCommitBodies(git, tipOf(targetBranch), found.map(tipOf));
  return new Map(
    found.map((sourceBranch) => {
      const sourceCommit = tipOf(sourceBranch);
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
  /** The sources that origin has. */
  ready: ReadonlyMap<string, ReadySource>;
  /** The commits that were checked out, in order. Each squash commit is added before its checkout. */
  made: string[];
  progress: Progress;
}

async function mergeSources(git: Git, merging: Merging): Promise<GateMerge> {
  const { targetBranch, targetCommit, sources, ready, made, progress } = merging;
  const merged: MergedSource[] = [];
  const skipped: SkippedSource[] = [];
  let onto = targetCommit;
  for (const sourceBranch of sources) {
    const source = ready.get(sourceBranch);
    if (source === undefined) {
      skipped.push({ sourceBranch, reason: 'missing' });
      continue;
    }
    const { sourceCommit, message } = source;
    const squash = unlessTooLarge(stableSquash(git, { onto, source: sourceCommit, message }));
    const squashed = await progress(`Merging ${sourceBranch}`, squash);
    if (typeof squashed !== 'string') {
      skipped.push({ sourceBranch, sourceCommit, ...squashed });
      continue;
    }
    await requirePlace(git, onto);
    made.push(squashed);
    await git.run(['update-ref', SQUASH_REF, squashed]);
    const unusable = await checkOutSquash(git, { onto, squashed });
    if (unusable) {
      skipped.push({ sourceBranch, sourceCommit, ...unusable });
      continue;
    }
    merged.push({ ...source, commitId: squashed });
    onto = squashed;
  }
  return { targetBranch, targetCommit, mergeCommit: onto, merged, skipped };
}

/**
 * The squash commit, or why the source is skipped. Unstable files, and files with one name, would be taken for a
 * person's changes.
 */
async function stableSquash(git: Git, squash: Squash): Promise<string | Skip> {
  const commit = await squashSource(git, squash);
  if (typeof commit !== 'string') return commit;
  const made = { onto: squash.onto, commit };
  const unusable =
    (await findUnusablePaths(git, made)) ??
    (await findFilesTooLarge(git, made)) ??
    (await findProjectFileFault(git, made));
  if (unusable) return unusable;
  try {
    const files = await unstableFiles(git, made);
    return files.length === 0 ? commit : { reason: 'unstable', files };
  } catch (error) {
    const fault = await findTreeFault(git, made, error);
    if (fault) return fault;
    throw error;
  }
}

/**
 * Checks a squash commit out. If only this commit cannot be checked out, takes back what git wrote of it.
 *
 * @returns why the source is skipped; undefined if it is checked out
 */
async function checkOutSquash(
  git: Git,
  { onto, squashed }: { onto: string; squashed: string },
): Promise<Skip | undefined> {
  try {
    await checkOut(git, squashed);
    return undefined;
  } catch (error) {
    const skip = await findSkip(git, { onto, commit: squashed }, error);
    if (skip === undefined) throw error;
    try {
      if (isOfCheckout(error)) await resetKilledCheckout(git, () => undefined);
      await checkOut(git, onto);
      await requirePlace(git, onto);
    } catch {
      throw error;
    }
    return skip;
  }
}

/** Any other failure ends the gate. */
function findSkip(git: Git, made: { onto: string; commit: string }, error: unknown) {
  return isOfCheckout(error) ? findTreeFault(git, made, error) : findSubmoduleFault(git, made, error);
}

/** Moves the local target branch to the merge, and checks it out. */
async function takeBranch(git: Git, gate: GateMerge, from: string | undefined): Promise<void> {
  const { targetBranch, targetCommit, mergeCommit, merged } = gate;
  await requirePlace(git, mergeCommit);
  const also = new Map([
    [mergeRef(targetBranch), mergeCommit],
    [ontoRef(targetBranch), targetCommit],
    [sourcesRef(targetBranch), await writeSources(git, merged)],
  ]);
  await moveBranch(git, { branch: targetBranch, from, to: mergeCommit, also });
  await git.run(onBranchArguments(targetBranch));
  await requirePlace(git, mergeCommit, targetBranch);
}

/** The commands of a gate, as `--dry-run` prints them. Rule G2. */
export function plannedGateMerge({
  sources,
  targetBranch,
  onNoBranch,
}: Omit<GateMergeInput, 'messages'>): string[] {
  const git = (args: readonly string[]) => shellQuote(['git', ...args]);
  const squash = { tree: '<merged tree>', onto: 'HEAD', signed: false };
  return [
    ...[targetBranch, ...sources].map((branch) => git(fetchArguments(branch))),
    git(detachArguments(gateRef(targetBranch))),
    ...sources.flatMap((source) => [
      git(mergeArguments('HEAD', gateRef(source))),
      git(commitArguments(squash)),
      git(detachArguments('<squash commit>')),
    ]),
    ...(onNoBranch
      ? []
      : [git(['update-ref', `refs/heads/${targetBranch}`, 'HEAD']), git(onBranchArguments(targetBranch))]),
  ];
}

function noSuchTarget(targetBranch: string): Failure {
  return new Failure('NO_SUCH_TARGET', `origin has no branch ${targetBranch}.`, {
    details: { targetBranch },
    next: 'repeat the command with --target-branch <branch>',
  });
}
