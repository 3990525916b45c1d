import { type ApiClient, listGateRuns, readPages } from '@plat/api-client';
import type { Forge } from './forge';
import {
  type BypassPush,
  bypassPushes,
  type LedgerPeriod,
  listPushedCommits,
  tagsByCommit,
} from './rule-suites';

const PAGE_SIZE = '200';

export type BypassVerdict = 'RECONCILED' | 'RELEASE' | 'UNEXPECTED_ACTOR' | 'UNRECONCILED';

/** A bypass, and the gate run or tag that accounts for it. Spec: Client, Bypass planning and reconciliation. */
export interface AccountedPush extends BypassPush {
  verdict: BypassVerdict;
  /** The PASSED gate run that built one of its commits. */
  gateRunId?: string;
  /** The tag that points at one of its commits. */
  tag?: string;
}

export interface Reconciliation {
  targetBranch: string;
  /** Newest first. */
  pushes: AccountedPush[];
  /** Whether every push is accounted for, and was made by a named identity. */
  reconciled: boolean;
}

export interface ReconcileInput {
  targetBranch: string;
  period: LedgerPeriod;
  /** Logins that may bypass. */
  expectedActors: readonly string[];
}

/** Reads the forge's ledger and accounts for each push that bypassed the rules of the target branch. */
export async function reconcileBypass(
  forge: Forge,
  api: ApiClient,
  { targetBranch, period, expectedActors }: ReconcileInput,
): Promise<Reconciliation> {
  const pushes = await bypassPushes(forge, { branch: targetBranch, period });
  const [tags, gateRuns] =
    pushes.length === 0
      ? [new Map<string, string>(), new Map<string, string>()]
      : await Promise.all([tagsByCommit(forge), listPassedGateRuns(api, targetBranch)]);
  const expected = new Set(expectedActors.map((actor) => actor.toLowerCase()));
  const accounted: AccountedPush[] = [];
  for (const push of pushes) {
    const commits = [...(await listPushedCommits(forge, push))];
    const gateRunId = firstOf(commits, gateRuns);
    const tag = firstOf(commits, tags);
    const isExpected = expected.has(push.actor.toLowerCase());
    accounted.push({
      ...push,
      verdict: isExpected ? verdictOf(gateRunId, tag) : 'UNEXPECTED_ACTOR',
      gateRunId,
      tag,
    });
  }
  const reconciled = accounted.every(({ verdict }) => verdict === 'RECONCILED' || verdict === 'RELEASE');
  return { targetBranch, pushes: accounted, reconciled };
}

function verdictOf(gateRunId: string | undefined, tag: string | undefined): BypassVerdict {
  if (gateRunId !== undefined) return 'RECONCILED';
  return tag === undefined ? 'UNRECONCILED' : 'RELEASE';
}

function firstOf(commits: readonly string[], found: ReadonlyMap<string, string>): string | undefined {
  const commit = commits.find((candidate) => found.has(candidate));
  return commit === undefined ? undefined : found.get(commit);
}

/** The ids of the PASSED gate runs onto the branch, by the commit that each built. */
async function listPassedGateRuns(
  api: ApiClient,
  targetBranch: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const query = { targetBranch, status: 'PASSED' as const, limit: PAGE_SIZE };
  const pages = readPages(api, (cursor) => listGateRuns(api, { query: { ...query, cursor } }));
  for await (const page of pages) {
    for (const { mergeCommit, gateRunId } of page.gateRuns) {
      if (mergeCommit !== undefined) found.set(mergeCommit, gateRunId);
    }
  }
  return found;
}
