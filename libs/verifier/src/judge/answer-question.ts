import { Budget } from '../budget';
import type { VerifierConfig } from '../config';
import { unknown } from '../content/content-verdict';
import { judgeContent } from '../content/judge-content';
import { branchRef } from '../protocol/branch-ref';
import { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure } from '../remote-failure';
import { findStanding } from '../standing/find-standing';
import type { GitHttp } from '../transport/git-http';
import type { GitRequest } from '../transport/git-request';
import type { GuardedHttp } from '../transport/guarded-http';
import { localGit } from '../transport/local-git';
import { RemoteWaits } from '../transport/remote-waits';
import { reportedHttp } from '../transport/reported-http';
import { findUndoneWork } from '../undone/undone-by';
import { notVerified } from '../verdict';
import { readBranch } from './branch-read';
import { judgeHistoryLanding } from './history-landing';
import type { Answer, Question } from './question';
import { judgeQueueLanding } from './queue-landing';

/** The branches from which the verdict starts, by the full names of their refs. */
function branchesOf(question: Question): string[] {
  const names = 'targetBranch' in question && question.targetBranch ? [question.targetBranch] : [];
  if ('sourceBranch' in question) names.push(question.sourceBranch);
  return names.flatMap((name) => branchRef(name) ?? []);
}

interface Surroundings {
  network: GuardedHttp;
  waits?: RemoteWaits;
  /** Called with each request to the remote, for a trace. */
  report?: (request: GitRequest) => void;
}

/** Reads the remote and judges. A remote that cannot be read yields a verdict, not an exception. */
export async function answerQuestion(
  question: Question,
  config: VerifierConfig,
  { network, waits = new RemoteWaits(), report }: Surroundings,
): Promise<Answer> {
  const budget = new Budget(config.caps);
  const total = new AbortController();
  const timer = setTimeout(() => total.abort(), config.caps.totalMs);
  try {
    const limits = { budget, signal: total.signal, waits };
    const plain: GitHttp = question.address.startsWith('file:')
      ? localGit(config, limits)
      : network.open(limits);
    const http = report ? reportedHttp(plain, report) : plain;
    const remote = await RemoteRepository.open(http, question.address, {
      budget,
      expected: branchesOf(question),
    });
    switch (question.condition) {
      case 'queue':
        return await judgeQueueLanding(remote, question);
      case 'history':
        return await judgeHistoryLanding(remote, question, budget);
      case 'content':
        return await judgeContent(question, { remote, budget });
      case 'undone':
        return await findUndoneWork(question, { remote, budget });
      case 'standing':
        return await findStanding(question, { remote, budget });
      case 'branch':
        return await readBranch(remote, question);
    }
  } catch (failure) {
    if (!(failure instanceof RemoteFailure)) throw failure;
    const { reason, message } = failure;
    if (question.condition === 'undone' || question.condition === 'standing') return { unknown: reason };
    return question.condition === 'content' ? unknown(reason) : notVerified(reason, message);
  } finally {
    clearTimeout(timer);
    // If one of two parallel requests failed, the other one must not go on during the next question.
    total.abort();
  }
}
