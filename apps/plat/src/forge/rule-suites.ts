import type { Forge } from './forge';

/** The periods for which the forge's ledger can be read. */
export const LEDGER_PERIODS = ['hour', 'day', 'week', 'month'] as const;

export type LedgerPeriod = (typeof LEDGER_PERIODS)[number];

/** A push that bypassed the rules of a branch, from the forge's ledger. */
export interface BypassPush {
  ruleSuiteId: number;
  actor: string;
  beforeCommit: string;
  afterCommit: string;
  /** RFC 3339. */
  pushedAt: string;
}

const NO_COMMIT = /^0+$/;

/** The pushes to a branch that bypassed its rules, newest first. */
export async function bypassPushes(
  { client, at }: Forge,
  { branch, period }: { branch: string; period: LedgerPeriod },
): Promise<BypassPush[]> {
  const suites = await client.paginate('GET /repos/{owner}/{repo}/rulesets/rule-suites', {
    ...at,
    ref: `refs/heads/${branch}`,
    rule_suite_result: 'bypass',
    time_period: period,
    per_page: 100,
  });
  return suites
    .filter(({ result }) => result === 'bypass')
    .map((suite) => ({
      ruleSuiteId: suite.id ?? 0,
      actor: suite.actor_name ?? '',
      beforeCommit: suite.before_sha ?? '',
      afterCommit: suite.after_sha ?? '',
      pushedAt: suite.pushed_at ?? '',
    }));
}

/** Every commit that a push added, including its last one; only the last one if the push created the branch. */
export async function listPushedCommits(
  { client, at }: Forge,
  { beforeCommit, afterCommit }: BypassPush,
): Promise<ReadonlySet<string>> {
  if (NO_COMMIT.test(beforeCommit)) return new Set([afterCommit]);
  const commits = await client.paginate(
    'GET /repos/{owner}/{repo}/compare/{basehead}',
    { ...at, basehead: `${beforeCommit}...${afterCommit}`, per_page: 100 },
    ({ data }) => data.commits,
  );
  return new Set([afterCommit, ...commits.map(({ sha }) => sha)]);
}

/** The names of the repository's tags, by the commit that each points at. */
export async function tagsByCommit({ client, at }: Forge): Promise<ReadonlyMap<string, string>> {
  const tags = await client.paginate('GET /repos/{owner}/{repo}/tags', { ...at, per_page: 100 });
  return new Map(tags.map(({ name, commit }) => [commit.sha, name]));
}
