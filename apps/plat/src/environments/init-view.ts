import { configPath } from '../config/config-file';
import { scopedConfigPath } from '../config/config-scope';
import { environmentSessionPath } from '../session/environment-session';
import { earlierText, type Initialized } from './init';
import { changeText } from './init-changes';
import type { InitPlan, InitRequest } from './init-plan';

/** The result for a person. */
export function initText(result: Initialized<unknown>): string {
  const { tenant, environment, created, changed, path, ports, kubernetesContext } = result;
  const done = created ? 'is configured' : changed.length === 0 ? 'is as it was' : 'has changed';
  const { registration } = result;
  return [
    `The environment ${tenant} ${environment} ${done}: ${path}`,
    `context ${kubernetesContext}, ports ${ports.start}-${ports.end}`,
    sessionText(result),
    ...(registration.registered ? [`It is registered as ${registration.environmentId}.`] : []),
  ].join('\n');
}

function sessionText({ session, alias }: Initialized<unknown>): string {
  const used = session.provisioned ? session : session.earlier;
  if (used === undefined) return 'It has no session, so it cannot reach the platform.';
  if (!session.provisioned && alias !== undefined && used.alias !== alias) {
    return `It has no session with ${alias}, so it cannot reach the platform. Its earlier one is with ${used.alias}.`;
  }
  return `It acts as ${used.subject ?? 'you'} on ${used.alias}.`;
}

/** Lists the parts that did not succeed, with the next step. */
export function initNotes({ session, registration, leftRecord }: Initialized<unknown>): string[] {
  const notes: string[] = [];
  if (leftRecord !== undefined) {
    notes.push(`warning: the platform of the alias before still has the environment ${leftRecord}`);
  }
  if (!session.provisioned) {
    const { earlier, reason } = session;
    const which = earlier === undefined ? 'session' : 'new session';
    notes.push(`warning: no ${which}: ${reason}${earlierText(earlier)}`);
    if (session.next !== undefined) notes.push(`next: ${session.next}`);
  }
  if (!registration.registered) {
    notes.push(`warning: not registered on the platform: ${registration.reason}`);
    if (registration.next !== undefined && (session.provisioned || session.next !== registration.next)) {
      notes.push(`next: ${registration.next}`);
    }
  }
  if (session.provisioned && session.by === 'shared') {
    notes.push(
      'warning: the environment shares the session of this machine, whose provider does not rotate it: signing out here signs the environment out',
    );
  }
  return notes;
}

/** The lines of a dry run, without those of the deploy. Decision G2. */
export function initPlanLines(
  { configFolder, name }: InitRequest,
  { path, changes, alias }: InitPlan,
): string[] {
  const { tenant, environment } = name;
  return [
    ...changes.map((change) => `${path}: ${changeText(change)}`),
    `${scopedConfigPath(configFolder, { tenant })}: defaultEnvironment: ${environment}, unless there is one`,
    `${configPath(configFolder)}: defaultTenant: ${tenant}, unless there is one`,
    ...(alias === undefined
      ? []
      : [
          `${environmentSessionPath(configFolder, name)}: a session with ${alias.name}, from ${alias.issuer}`,
          `platform: POST ${alias.apiUrl}/v1/environments`,
        ]),
  ];
}
