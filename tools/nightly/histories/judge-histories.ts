import fc from 'fast-check';
import type { HistoryLanding, QueueLanding, Verdict, Verifier } from '@plat/verifier';
import { buildHistory, type History } from './build';
import { isLandedByConstruction } from './construction';
import { hide, type Hiding } from './hiding';
import { type Kind, kindsOf } from './kinds';
import { Oracle, type Truth } from './oracle';
import { type Plan, plans } from './plan';
import { type HistoriesRepository, importHistories } from './repository';
import { withUnlikeFiles } from './unlike-files';
import { serveByOneUploadPack } from './upload-pack-server';

/** The truth about condition B from three sources that share no code with the verifier. */
export interface HistoryTruths {
  /** The result of git's merge. */
  git: Truth;
  /** The result of git's merge without rename detection, path by path like the verifier. */
  byPath: Truth;
  /** Whether the history was constructed so that everything landed. */
  byConstruction: boolean;
}

/** One generated history with git's results and the verifier's answers. */
export interface Judged {
  plan: Plan;
  hiding: Hiding;
  kinds: readonly Kind[];
  history: { truths: HistoryTruths; answer: Verdict<HistoryLanding> };
  queue: { truth: string; answer: Verdict<QueueLanding> };
}

export interface Batch {
  /** Number of histories in one repository. */
  size: number;
  seed: number;
  hiding: Hiding;
}

/** Generates histories, judges them with git, changes what the server shows, and asks the verifier. */
export async function judgeHistories(verifier: Verifier, { size, seed, hiding }: Batch): Promise<Judged[]> {
  const generated = fc.sample(plans, { numRuns: size, seed });
  const histories = generated.map(buildHistory);
  const repository = await importHistories(histories);
  try {
    const oracle = new Oracle(repository.directory);
    const questions = generated.map((plan, number) =>
      questionsOf(plan, histories[number]!, { repository, number }),
    );
    const truths = await historyTruths(histories, { oracle, questions });
    const queueTruths: string[] = [];
    for (const { target, commitId, anchorCommitId } of questions) {
      queueTruths.push(await oracle.queue(target, commitId, anchorCommitId));
    }
    await hide(hiding, repository);
    const server = await serveByOneUploadPack(repository.directory);
    try {
      return await Promise.all(
        questions.map(async ({ targetBranch, sourceBranch, commitId, anchorCommitId }, number) => {
          const remoteUrl = server.url;
          const [queue, history] = await Promise.all([
            verifier.verifyQueueLanding({ remoteUrl, targetBranch, commitId, anchorCommitId }),
            verifier.verifyHistoryLanding({ remoteUrl, targetBranch, sourceBranch }),
          ]);
          return {
            plan: generated[number]!,
            hiding,
            kinds: kindsOf(histories[number]!, hiding),
            history: { truths: truths[number]!, answer: history },
            queue: { truth: queueTruths[number]!, answer: queue },
          };
        }),
      );
    } finally {
      await server.close();
    }
  } finally {
    await repository.remove();
  }
}

async function historyTruths(
  histories: readonly History[],
  { oracle, questions }: { oracle: Oracle; questions: readonly { source: string; target: string }[] },
): Promise<HistoryTruths[]> {
  const found = await oracle.histories(questions);
  const unlike = await importHistories(histories.map(withUnlikeFiles));
  try {
    const byPath = await new Oracle(unlike.directory).histories(questions);
    return histories.map((history, number) => ({
      git: found[number]!,
      byPath: byPath[number]!,
      byConstruction: isLandedByConstruction(history),
    }));
  } finally {
    await unlike.remove();
  }
}

function questionsOf(
  { commit, anchor }: Plan,
  { commits }: History,
  { repository, number }: { repository: HistoriesRepository; number: number },
) {
  const ids = repository.ids[number]!;
  const idAt = (position: number) => ids[position % commits.length]!;
  return {
    target: `refs/heads/${number}/main`,
    source: `refs/heads/${number}/source`,
    targetBranch: `${number}/main`,
    sourceBranch: `${number}/source`,
    commitId: idAt(commit),
    anchorCommitId: anchor === null ? undefined : idAt(anchor),
  };
}
