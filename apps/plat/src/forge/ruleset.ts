import { Failure } from '../terminal/failure';
import type { Forge } from './forge';
import type { ForgeClient } from './forge-client';

/** An actor that may bypass a ruleset, in the forge's form. */
export interface BypassActor {
  /** Null for deploy keys. */
  actor_id?: number | null;
  actor_type: string;
  /** `always`, `pull_request` or `exempt`. */
  bypass_mode?: string;
}

/** A ruleset whose bypass list is visible. */
export interface Ruleset {
  /** The API path at which it is edited. */
  path: string;
  /** The whole body of a PUT that changes nothing. */
  body: RulesetBody;
  /**
   * `always`, `pull_requests_only` or `never`: what the token's identity may do; absent if the forge does not report
   * it. Spec: Client, Authentication, rule 7.
   */
  currentUserCanBypass?: string;
}

export interface RulesetBody {
  name: string;
  target?: string;
  enforcement: string;
  bypass_actors: BypassActor[];
  conditions?: unknown;
  rules?: unknown;
}

/**
 * Reads a ruleset with its bypass list: from the repository, or from the organization that it belongs to. The forge
 * hides the list from a token that may not write the ruleset. A hidden list is refused, because it may have entries.
 * Rule G9.
 *
 * @throws Failure BYPASS_LIST_HIDDEN
 */
export async function readRuleset({ client, at }: Forge, id: number): Promise<Ruleset> {
  const own = await readRepositoryRuleset(client, { ...at, ruleset_id: id });
  const isOrganizations = own.source_type === 'Organization';
  const ruleset = isOrganizations ? await readOrganizationRuleset(client, own.source, id) : own;
  const { name, target, enforcement, bypass_actors, conditions, rules } = ruleset;
  if (bypass_actors === undefined) {
    throw new Failure('BYPASS_LIST_HIDDEN', `The forge does not show who may bypass the ruleset ${name}.`, {
      details: { ruleset: id },
      next: 'use a token with write access to the ruleset',
    });
  }
  const { current_user_can_bypass: currentUserCanBypass } = own;
  return {
    currentUserCanBypass: currentUserCanBypass || undefined,
    path: isOrganizations
      ? `/orgs/${own.source}/rulesets/${id}`
      : `/repos/${at.owner}/${at.repo}/rulesets/${id}`,
    body: { name, target, enforcement, bypass_actors, conditions, rules },
  };
}

async function readRepositoryRuleset(
  client: ForgeClient,
  place: { owner: string; repo: string; ruleset_id: number },
) {
  return (await client.request('GET /repos/{owner}/{repo}/rulesets/{ruleset_id}', place)).data;
}

async function readOrganizationRuleset(client: ForgeClient, org: string, id: number) {
  return (await client.request('GET /orgs/{org}/rulesets/{ruleset_id}', { org, ruleset_id: id })).data;
}

/** @throws Failure NOT_GOVERNED if no active rule of the ruleset applies to the branch */
export async function requireGoverned({ client, at }: Forge, id: number, branch: string): Promise<void> {
  const path = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';
  const rules = await client.paginate(path, { ...at, branch, per_page: 100 });
  if (rules.some((rule) => 'ruleset_id' in rule && rule.ruleset_id === id)) return;
  throw new Failure('NOT_GOVERNED', `The ruleset ${id} does not govern ${branch}.`, {
    details: { ruleset: id, targetBranch: branch },
    next: 'give the ruleset that is active on the target branch',
  });
}
