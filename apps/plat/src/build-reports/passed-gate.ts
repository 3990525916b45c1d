import { type ApiClient, type GateRun, listGateRuns, type Review } from '@plat/api-client';
import { openCheckout } from '../checkout/checkout';
import { apiFailure } from '../failures/api-failure';
import { readNotedGate } from '../gate/noted-gates';
import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

export interface PassedGateQuestion {
  review: Review;
  /** The commit whose gate should have passed. */
  commitId: string;
  /** The folder of the checkout. */
  folder: string;
  /** Whether the person vouches for a gate of which neither the checkout nor the platform knows. */
  vouch: boolean;
}

interface KnownGate {
  passed: boolean;
  at: string;
  where: string;
}

/**
 * Checks that the last gate of a commit has passed, as this checkout noted it or as the platform has it as a gate run.
 * Without any such gate the person has to vouch. After one that failed, no flag helps but another gate.
 * Spec: Client, Gate drive rules, rule 6.
 *
 * @returns whether the success rests on the person's word alone
 * @throws Failure GATE_FAILED, NOT_GATED
 */
export async function requirePassedGate(
  api: ApiClient,
  question: PassedGateQuestion,
): Promise<{ vouched: boolean }> {
  const { commitId, review, vouch } = question;
  const known = [await findGateNotedHere(question), await findGateOfPlatform(api, question)];
  const [last] = known
    .filter((gate) => gate !== undefined)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  if (last?.passed === true) return { vouched: false };
  if (last === undefined && vouch) return { vouched: true };
  const { reviewId } = review;
  if (last !== undefined) {
    throw new Failure('GATE_FAILED', `The last gate of ${commitId} failed, ${last.where}, at ${last.at}.`, {
      details: { reviewId, commitId, failedAt: last.at },
      next: nextStep(
        'record that: plat review record-build',
        [reviewId],
        '--gate --failed --failure-detail <text>; or gate it again: plat build --gate, then repeat the command',
      ),
    });
  }
  throw new Failure(
    'NOT_GATED',
    `No gate of ${commitId} has passed in this checkout, and the platform knows of none.`,
    {
      details: { reviewId, commitId },
      next: 'plat build --gate, then repeat the command; if its gate has passed elsewhere, vouch for it: --vouch',
    },
  );
}

async function findGateNotedHere({ folder, commitId }: PassedGateQuestion): Promise<KnownGate | undefined> {
  const git = await openCheckout(folder).catch(noCheckout);
  const noted = git && (await readNotedGate(git, commitId));
  return noted && { ...noted, where: 'in this checkout' };
}

export function noCheckout(error: unknown): Git | undefined {
  const codes = ['NOT_A_CHECKOUT', 'CHECKOUT_OF_ANOTHER_USER'];
  if (error instanceof Failure && codes.includes(error.code)) return undefined;
  throw error;
}

/** The newest decided gate run of the commit. A caller who may not read gate runs knows of none. */
async function findGateOfPlatform(
  api: ApiClient,
  { review, commitId }: PassedGateQuestion,
): Promise<KnownGate | undefined> {
  const { sourceBranch, targetBranch } = review;
  const { gateRuns } = await listGateRuns(api, { query: { sourceBranch, targetBranch } }).catch(
    (error: unknown): { gateRuns: GateRun[] } => {
      if (apiFailure(error)?.code === 'FORBIDDEN') return { gateRuns: [] };
      throw error;
    },
  );
  const decided = gateRuns.filter(
    ({ mergeCommit, verdict }) => mergeCommit === commitId && (verdict === 'PASSED' || verdict === 'FAILED'),
  );
  const [last] = decided.sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
  if (!last) return undefined;
  return {
    passed: last.verdict === 'PASSED',
    at: last.updatedAt,
    where: `in the gate run ${last.gateRunId}`,
  };
}
