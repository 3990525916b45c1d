import type { Forge } from './forge';
import { queueActor } from './queue-identity';
import { type BypassActor, readRuleset, requireGoverned, type RulesetBody } from './ruleset';

/** An edit of a ruleset for a person to make. Each part is the whole body of a PUT to the path. */
export interface BypassPlan {
  path: string;
  /** The queue's identity always bypasses, in addition to the existing actors. */
  stage1: RulesetBody;
  /** All other actors bypass only on a pull request. */
  stage2: RulesetBody;
  /** The ruleset as it was read. */
  rollback: RulesetBody;
  /** Whether the token's identity may bypass now. To check a stage, plan again with the token of each identity. */
  currentUserCanBypass?: string;
  /** Decisions and facts to know before a stage. */
  warnings: string[];
}

export interface BypassPlanInput {
  rulesetId: number;
  targetBranch: string;
  /** Login of a user, or an app's slug and `[bot]`. */
  queueIdentity: string;
}

const RELEASES =
  'The release command pushes to the same branch: decide with which identity, before stage 2 stops it.';

/**
 * Plans the edit and writes nothing. Spec: Client, Bypass planning and reconciliation.
 *
 * @throws Failure QUEUE_CANNOT_PUSH, BYPASS_LIST_HIDDEN, NOT_GOVERNED
 */
export async function planBypass(forge: Forge, input: BypassPlanInput): Promise<BypassPlan> {
  const queue = await queueActor(forge, input.queueIdentity);
  const { path, body, ...now } = await readRuleset(forge, input.rulesetId);
  await requireGoverned(forge, input.rulesetId, input.targetBranch);
  const others = body.bypass_actors.filter((actor) => !isSame(actor, queue));
  const stage = (actors: BypassActor[]) => ({ ...body, bypass_actors: [...actors, queue] });
  const keys = others.some(isDeployKey);
  return {
    path,
    stage1: stage(others),
    stage2: stage(others.filter((actor) => !isDeployKey(actor)).map(demoted)),
    rollback: body,
    ...now,
    warnings: [
      RELEASES,
      ...(keys ? ['Deploy keys cannot bypass on a pull request: stage 2 takes them off the list.'] : []),
    ],
  };
}

/** Demotes an exempt actor too, because an exempt push is not even recorded as a bypass. */
function demoted(actor: BypassActor): BypassActor {
  return { ...actor, bypass_mode: 'pull_request' };
}

function isDeployKey({ actor_type }: BypassActor): boolean {
  return actor_type === 'DeployKey';
}

function isSame(one: BypassActor, other: BypassActor): boolean {
  return one.actor_type === other.actor_type && one.actor_id === other.actor_id;
}
