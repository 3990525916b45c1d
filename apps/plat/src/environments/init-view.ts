import { configPath } from '../config/config-file';
import { scopedConfigPath } from '../config/config-scope';
import { environmentSessionPath } from '../session/environment-session';
import { nextStep } from '../terminal/next-step';
import { CREDENTIAL_FLAGS, identityText } from './git-identity';
import { earlierText, type Initialized } from './init';
import { changeText } from './init-changes';
import type { InitPlan, InitRequest } from './init-plan';

/** The result for a person. */
export function initText(result: Initialized<{ replicas: number }>): string {
  const { tenant, environment, created, changed, path, ports, kubernetesContext } = result;
  const done = created ? 'is configured' : changed.length === 0 ? 'is as it was' : 'has changed';
  const { registration } = result;
  return [
    `The environment ${tenant} ${environment} ${done}: ${path}`,
    `context ${kubernetesContext}, ports ${ports.start}-${ports.end}`,
    sessionText(result),
    ...gitText(result),
    ...(registration.registered ? [`It is registered as ${registration.environmentId}.`] : []),
    podText(result),
  ].join('\n');
}

/** Says what became of the pod, and which command to type next. */
function podText({ tenant, environment, deployed }: Initialized<{ replicas: number }>): string {
  const open = nextStep('plat open', [tenant], [environment]);
  if (deployed === undefined) {
    return `It has no pod of this run. Next: ${nextStep('plat deploy', [tenant], [environment])}`;
  }
  return deployed.replicas === 0
    ? `It is stopped: its pod does not run. Next, to start it: ${open}`
    : `The cluster starts its pod. Next, to wait for it and open a shell: ${open}`;
}

function sessionText({ session, alias }: Initialized<unknown>): string {
  const used = session.provisioned ? session : session.earlier;
  if (used === undefined) return 'It has no session, so it cannot reach the platform.';
  if (!session.provisioned && alias !== undefined && used.alias !== alias) {
    return `It has no session with ${alias}, so it cannot reach the platform. Its earlier one is with ${used.alias}.`;
  }
  return `It acts as ${used.subject ?? 'you'} on ${used.alias}.`;
}

function gitText({ git: { name, email, from, credential } }: Initialized<unknown>): string[] {
  const found = from === undefined ? '' : `, as ${from} says`;
  return [
    ...(name === undefined || email === undefined
      ? []
      : [`Commits in its pod are by ${identityText({ name, email })}${found}.`]),
    ...(credential === undefined ? [] : [`Its pod signs in to the remote by ${credential}.`]),
  ];
}

/** Names the things that a drive in the pod would lack. */
function gitNotes({ git, clones, tenant, environment }: Initialized<unknown>): string[] {
  if (!clones) return [];
  const repeat = nextStep('plat init', [tenant, environment]);
  const lacksCommitter = git.name === undefined || git.email === undefined;
  const { wantedCredential: wanted } = git;
  return [
    ...(lacksCommitter
      ? [
          'warning: no one commits in its pod, so no drive works there',
          `next: ${nextStep(repeat, "--git-identity '<name> <<address>>'")}`,
        ]
      : []),
    ...(wanted === undefined
      ? []
      : [
          `warning: the project's pods sign in to its remote by ${wanted}, and this one has no credential`,
          `next: ${nextStep(repeat, CREDENTIAL_FLAGS[wanted])}`,
        ]),
  ];
}

/** Names the steps without success, each with the next step. */
export function initNotes(result: Initialized<unknown>): string[] {
  const { session, registration, leftRecord } = result;
  const notes: string[] = gitNotes(result);
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

/** The lines of a dry run, without those of the deploy. Rule G2. */
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
