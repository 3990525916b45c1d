import { childVariables } from '../environment';
import type { Git } from '../git/git';
import type { PushInput } from '../push/push';
import { findingLines, verdictText } from '../receipts/landing-text';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { withReadableCopy } from './readable-copy';
import { judgeHere } from './verifier-library.js';

type LandedContent = Awaited<ReturnType<typeof judgeHere>>;

/** Surroundings of a judgement. */
interface Judge {
  /** Prints a line. */
  note(line: string): void;
  /** File of the program that judges; default: the client's own. */
  verifierWorker?: string | undefined;
}

/**
 * Judges each squash commit of a merge by the code of the service, before it is pushed: the service would show the same
 * verdict afterwards, when it is too late. Anything else than EXACT is noted with its places.
 *
 * @param input of the push; nothing is judged if its base or its sources are unknown here
 * @throws Failure CONTENT_DIVERGES if the service would call it DIVERGENT; nothing may be pushed then
 */
export async function requireSoundMerge(
  git: Git,
  { targetBranch, commitId, onto, sources = [] }: PushInput,
  { note, verifierWorker }: Judge,
): Promise<void> {
  if (onto === undefined || sources.length === 0) return;
  const listed = await git.run(['rev-list', '--first-parent', '--reverse', `${onto}..${commitId}`, '--']);
  const commits = listed.split('\n').filter(Boolean);
  if (commits.length !== sources.length) {
    return note(
      `${commitId} is not judged before the push: the numbers of its commits (${commits.length}) and sources (${sources.length}) differ`,
    );
  }
  for (const [index, { sourceBranch, sourceCommit }] of sources.entries()) {
    const squash = commits[index] as string;
    const branches = new Map([
      [targetBranch, squash],
      [sourceBranch, sourceCommit],
    ]);
    const question = { commitId: squash, sourceBranch, targetBranch };
    const gitSearchPath = childVariables({})['PATH'];
    const judging = { gitSearchPath, workerFile: verifierWorker, signal: git.interrupted };
    const content = await withReadableCopy(git, branches, (folder) =>
      judgeHere(question, { ...judging, folder }),
    );
    git.interrupted?.throwIfAborted();
    report({ content, sourceBranch, squash, targetBranch }, note);
  }
}

/** A squash commit, and the branches that it merges. */
interface Squash {
  squash: string;
  sourceBranch: string;
  targetBranch: string;
}

function report({ content, ...merge }: Squash & { content: LandedContent }, note: Judge['note']): void {
  if (content.verdict === 'EXACT') return;
  const { sourceBranch, squash } = merge;
  const shown = { ...content, contentVerdict: content.verdict, contentReason: content.reason };
  const found = [verdictText(shown), ...findingLines(shown)].join('; ');
  if (content.verdict === 'DIVERGENT') {
    throw new Failure(
      'CONTENT_DIVERGES',
      `${squash} is not the merge of ${sourceBranch}: ${found}. Nothing was pushed.`,
      { details: { commitId: squash, sourceBranch, reason: content.reason }, next: mergeAgain(merge) },
    );
  }
  const subject = `${squash}, the merge of ${sourceBranch},`;
  if (content.verdict === 'UNKNOWN') {
    return note(`${subject} cannot be judged before the push: ${content.reason}`);
  }
  note(`${subject} will be shown as ${found}`);
}

const mergeAgain = ({ squash, sourceBranch, targetBranch }: Squash): NextStep =>
  nextStep(
    'look at it: git show',
    [squash],
    '; then plat exec gate-merge --target-branch',
    [targetBranch],
    '--source',
    [sourceBranch],
    ', or, for the review of a drive: plat drive --target-branch',
    [targetBranch],
    '--give-up',
  );
