import type { LandedContent, Verdict, Verifier } from '@plat/verifier';
import type { Witnessed } from './merge-witness';
import type { ReplayedPull, ReplayRepository } from './replay-repository';
import type { WarmCheck } from './warm-clone';

/** The questions about a landing: as a report through the queue, on itself, much later, just before it, and on its content. */
export const QUESTIONS = ['queue', 'landed', 'later', 'before', 'content'] as const;
export type Question = (typeof QUESTIONS)[number];

export interface JudgedPull {
  pull: ReplayedPull;
  witnessed: Witnessed;
  inWarmClone: WarmCheck;
  /** The answers: `verified`, a reason, or the content's verdict with its reason. */
  answers: Record<Question, string>;
  costs: Record<Question, WarmCheck>;
}

/** Asks the verifier about one landing, question by question. */
export async function judgePull(
  verifier: Verifier,
  { url, bytesSent }: ReplayRepository,
  { pull, ...known }: Pick<JudgedPull, 'pull' | 'witnessed' | 'inWarmClone'>,
): Promise<JudgedPull> {
  const { branches, judged } = pull;
  const history = async (targetBranch: string) =>
    wordOf(
      await verifier.verifyHistoryLanding({ remoteUrl: url, targetBranch, sourceBranch: branches.source }),
    );
  const asked: Record<Question, () => Promise<string>> = {
    queue: async () =>
      wordOf(
        await verifier.verifyQueueLanding({
          remoteUrl: url,
          targetBranch: branches.landed,
          commitId: judged,
          anchorCommitId: pull.parent,
        }),
      ),
    landed: () => history(branches.landed),
    later: () => history(branches.later),
    before: () => history(branches.before),
    content: async () =>
      verdictOf(
        await verifier.judgeContent({
          remoteUrl: url,
          commitId: judged,
          sourceBranch: branches.source,
          targetBranch: branches.landed,
        }),
      ),
  };
  const answers = {} as JudgedPull['answers'];
  const costs = {} as JudgedPull['costs'];
  for (const question of QUESTIONS) {
    const before = bytesSent();
    const startedAt = performance.now();
    answers[question] = await asked[question]();
    costs[question] = { seconds: (performance.now() - startedAt) / 1000, bytes: bytesSent() - before };
  }
  return { pull, ...known, answers, costs };
}

const wordOf = (verdict: Verdict<unknown>): string =>
  verdict.verified
    ? 'verified'
    : `${verdict.reason}${verdict.cause === undefined ? '' : `: ${verdict.cause}`}`;

const verdictOf = (content: LandedContent): string =>
  content.verdict === 'EXACT' ? 'EXACT' : `${content.verdict} ${content.reason}`;

/** The result of git's merge for a landing, from which the verifier's right answers follow. */
export type Standing = 'git merges to the very tree' | 'git merges to no change' | 'neither';

export const standingOf = ({ isMerge, isCarried }: Witnessed): Standing => {
  if (isMerge) return 'git merges to the very tree';
  return isCarried ? 'git merges to no change' : 'neither';
};

/**
 * The wrong answers: a true landing that is refused or not EXACT, a branch that is accepted before it landed, or EXACT for
 * another tree than git's merge. An empty commit brought nothing, so its verdict may be on an earlier commit.
 */
export function wrongAnswers({ witnessed, answers }: JudgedPull): Question[] {
  const standing = standingOf(witnessed);
  const wrong: Question[] = [];
  if (answers.queue !== 'verified') wrong.push('queue');
  if (!witnessed.wasThere && answers.before === 'verified') wrong.push('before');
  const isExact = answers.content === 'EXACT';
  if (standing !== 'git merges to the very tree' && isExact) wrong.push('content');
  if (standing === 'neither') return wrong;
  if (answers.landed !== 'verified') wrong.push('landed');
  if (answers.later !== 'verified') wrong.push('later');
  const isEmpty = witnessed.isMerge && witnessed.wasThere;
  if (standing === 'git merges to the very tree' && !isEmpty && !isExact) wrong.push('content');
  return wrong;
}
