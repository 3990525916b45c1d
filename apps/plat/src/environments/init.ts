import { defined } from '@plat/contracts/core';
import {
  type EnvironmentName,
  type GitCredentialKind,
  namespaceOf,
  type PortBlock,
  portBlock,
} from '@plat/environments';
import { readEnvConfig } from '../config/config-check';
import { isOutdated, readEnvironmentSession } from '../session/environment-session';
import type { ProvisionedSession } from '../session/provision-session';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { type FoundIdentity, type GitIdentity, kindOf } from './git-identity';
import { type FieldChange, overwriting } from './init-changes';
import { writeInitFiles } from './init-files';
import { type InitPlan, type InitRequest, planInit } from './init-plan';
import { keepRecord, type Registration } from './registration';

/** Reason for a step that was not made. */
interface NoAlias {
  code: 'NO_PLATFORM_ALIAS';
  reason: string;
  next: NextStep;
}

/** Without a new session, `earlier` is the one that the environment has from an earlier run. */
export type InitSession =
  | Extract<ProvisionedSession, { provisioned: true }>
  | (Unprovisioned & { earlier?: EarlierSession | undefined });
type Unprovisioned = Extract<ProvisionedSession, { provisioned: false }>;

interface EarlierSession {
  alias: string;
  subject?: string | undefined;
  /** Whether it is a session that this machine shared, and no longer has. */
  isOutdated?: true | undefined;
}

/** git in the pod. */
export interface InitGit {
  name?: string | undefined;
  email?: string | undefined;
  /** Where name and address were found; absent if they were given, now or earlier. */
  from?: FoundIdentity['from'] | undefined;
  credential?: GitCredentialKind | undefined;
  /** The kind that the project's own file names, if the environment has no credential. */
  wantedCredential?: GitCredentialKind | undefined;
}

/** The result of `plat init`. Rule H6. */
export interface Initialized<Deployed> extends EnvironmentName {
  namespace: string;
  /** The file of the environment. */
  path: string;
  created: boolean;
  /** Names of the fields that were written. */
  changed: string[];
  type: string;
  kubernetesContext?: string | undefined;
  ports: PortBlock;
  alias?: string | undefined;
  /** Who commits in the pod, and how it signs in to the remote; never a credential. */
  git: InitGit;
  /** Whether the pod clones the project's remote. */
  clones: boolean;
  session: InitSession;
  registration: Registration | ({ registered: false } & NoAlias);
  /** The id of the record on the platform of the alias before, which stays there; absent unless the alias has changed. */
  leftRecord?: string | undefined;
  /** Absent with --no-deploy. */
  deployed?: Deployed | undefined;
}

/** The steps that reach beyond the files of the configuration. */
export interface InitSteps<Deployed> {
  /** Shows the user a line. */
  warn(line: string): void;
  /** Asks whether the values may be replaced; throws a failure if not. */
  agree(changes: readonly FieldChange[]): Promise<void>;
  /** Shows who would commit in the pod, and returns who does. */
  identity(found: FoundIdentity): Promise<GitIdentity | undefined>;
  session(plan: InitPlan): Promise<ProvisionedSession>;
  register(plan: InitPlan): Promise<Registration>;
  /** Shows the outcome of the steps before the deploy, which may fail for the lack of one of them. */
  report(outcome: Initialized<Deployed>): void;
  /** Undefined with --no-deploy. */
  deploy?: ((plan: InitPlan) => Promise<Deployed>) | undefined;
}

export interface InitInput<Deployed> extends InitRequest {
  setDefault: boolean;
  /** Asks for a new session, so that the command fails without one. */
  renewSession: boolean;
  interrupted: AbortSignal;
  steps: InitSteps<Deployed>;
}

const NO_ALIAS: NoAlias = {
  code: 'NO_PLATFORM_ALIAS',
  reason: 'No platform alias is configured on this machine.',
  next: nextStep('plat cloud init <alias> --api-url <url>, then repeat the command'),
};

/**
 * Makes an environment, or completes one: files, session, registration, deploy. Each step finds what an earlier run has
 * done, so that the same command mends one that was stopped. Rule H6.
 *
 * @throws Failure those of planInit, of the files and of the deploy; with `renewSession` the reason for no new session.
 * Otherwise session and registration are best effort
 */
export async function initEnvironment<Deployed>(input: InitInput<Deployed>): Promise<Initialized<Deployed>> {
  const { configFolder, name, interrupted, setDefault, steps } = input;
  const plan = await planWithIdentity(input);
  plan.warnings.forEach((line) => steps.warn(line));
  const replaced = overwriting(plan.changes);
  if (replaced.length > 0) await steps.agree(replaced);
  const agreed = replaced.map(({ field }) => field);
  const { given, defaults, alias } = plan;
  const { path, created, changes, leftRecord } = await writeInitFiles({
    configFolder,
    name,
    given,
    defaults,
    agreed,
    setDefault,
  });
  // Another command may have taken the planned block of ports, so that the file has another one.
  const now = async () => ({ ...plan, config: (await readEnvConfig(configFolder, name)).config });
  const session = await sessionOf(input, plan);
  if (input.renewSession) requireRenewed(session);
  const found = alias ? await steps.register(await now()) : { registered: false as const, ...NO_ALIAS };
  const registration = found.registered
    ? await keepRecord({ configFolder, path }, name, found.environmentId)
    : found;
  interrupted.throwIfAborted();
  const done = await now();
  const { config } = done;
  const outcome: Initialized<Deployed> = {
    ...name,
    namespace: namespaceOf(name),
    path,
    created,
    changed: changes.map(({ field }) => field),
    type: config.type,
    kubernetesContext: config.kubernetesContext,
    ports: portBlock(Number(config.localPortRangeStart)),
    alias: config.alias,
    git: gitOf(plan),
    clones: config.mutableSource === true && config.repoUrl !== undefined,
    session,
    registration,
    leftRecord,
  };
  steps.report(outcome);
  return { ...outcome, deployed: await steps.deploy?.(done) };
}

/** A found identity is the person's to confirm, or to replace. */
async function planWithIdentity(input: InitInput<unknown>): Promise<InitPlan> {
  const plan = await planInit(input, input.interrupted);
  if (plan.found === undefined) return plan;
  const { name, email } = (await input.steps.identity(plan.found)) ?? {};
  if (name === plan.found.name && email === plan.found.email) return plan;
  const git = defined({ ...input.given.git, name, email });
  const given = { ...input.given, git: Object.keys(git).length === 0 ? undefined : git };
  return planInit({ ...input, given, isAnonymous: name === undefined }, input.interrupted);
}

function gitOf({ config: { git }, found, credentialKind }: InitPlan): InitGit {
  const credential = kindOf(git?.credential);
  return {
    name: git?.name,
    email: git?.email,
    from: found?.from,
    credential,
    wantedCredential: credential === undefined ? credentialKind : undefined,
  };
}

async function sessionOf(
  { configFolder, name, steps }: InitInput<unknown>,
  plan: InitPlan,
): Promise<InitSession> {
  const session = plan.alias ? await steps.session(plan) : { provisioned: false as const, ...NO_ALIAS };
  if (session.provisioned) return session;
  const earlier = await readEnvironmentSession(configFolder, name);
  if (earlier === undefined) return session;
  const outdated = (await isOutdated(configFolder, earlier)) || undefined;
  return {
    ...session,
    earlier: { alias: earlier.alias.name, subject: earlier.subject, isOutdated: outdated },
  };
}

/** A sentence about the session of an earlier run; empty if there is none. */
export function earlierText(earlier: EarlierSession | undefined): string {
  if (earlier === undefined) return '';
  const { alias, isOutdated: outdated } = earlier;
  return outdated
    ? ` The earlier one, with ${alias}, is one of this machine that it no longer has.`
    : ` The earlier one, with ${alias}, stays.`;
}

/** @throws Failure the reason for no new session */
function requireRenewed(session: InitSession): void {
  if (session.provisioned) return;
  const { code, reason, next, earlier } = session;
  throw new Failure(code, `The session is not renewed: ${reason}${earlierText(earlier)}`, {
    details: { earlier },
    next,
  });
}
