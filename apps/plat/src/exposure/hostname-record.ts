import { deleteHostname, type Environment, listEnvironments, putHostname } from '@plat/api-client';
import type { RecordPlan } from '@plat/environments';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/**
 * Lets the platform write the record. Rule H12.
 *
 * @throws Failure NOT_REGISTERED; OTHER_WILDCARD if its record has another name than the plan's; those of the platform
 */
export async function putRecord(platform: Platform, plan: RecordPlan, targetIp: string): Promise<void> {
  const { environmentId } = await requireRegistered(platform, plan);
  const answer = await putHostname(platform.api, { environmentId, body: { targetIp } });
  const written = answer.hostname.toLowerCase().replace(/\.$/, '');
  if (written === plan.wildcardName) return;
  const { apiUrl } = platform.alias;
  const message = `The platform at ${apiUrl} has written ${answer.hostname}, and the project's own configuration means ${plan.wildcardName}; no ingress is applied.`;
  throw new Failure('OTHER_WILDCARD', message, {
    details: { written: answer.hostname, wildcardName: plan.wildcardName, apiUrl },
    next: 'correct platform.serviceszone in .plat/config.yaml, or name another platform by --alias; then repeat the command',
  });
}

/** Lets the platform remove the record; none is no failure. @throws Failure NOT_REGISTERED; those of the platform */
export async function deleteRecord(platform: Platform, plan: RecordPlan): Promise<void> {
  const { environmentId } = await requireRegistered(platform, plan);
  await deleteHostname(platform.api, { environmentId });
}

/** The two calls, as `--dry-run` prints them. Rule G2. */
export function plannedCalls(platform: Platform, route: 'putHostname' | 'deleteHostname'): string[] {
  return [
    platform.plannedCall('listEnvironments'),
    platform.plannedCall(route, { environment_id: '<environment_id>' }),
  ];
}

/** The record of the environment's namespace. The platform leaves that of another tenant's environment out. */
async function requireRegistered(platform: Platform, plan: RecordPlan): Promise<Environment> {
  const { tenant, environment, namespace } = plan;
  const all = await listEnvironments(platform.api);
  const found = all.find((record) => record.namespace === namespace);
  if (found !== undefined) return found;
  const { apiUrl, name } = platform.alias;
  throw new Failure('NOT_REGISTERED', `The platform at ${apiUrl} has no environment ${namespace}.`, {
    details: { namespace, apiUrl, environments: all.flatMap((record) => record.namespace ?? []) },
    next: nextStep('plat init', [tenant], [environment], '--alias', [name]),
  });
}
