import {
  describeFault,
  type EnvConfig,
  type EnvironmentName,
  type GitCredentialKind,
  newNameFaults,
} from '@plat/environments';
import { expectContext } from '../cluster/contexts';
import { resolveAlias } from '../config/alias-resolution';
import type { PlatformAlias } from '../config/cloud-alias';
import { checkDocument, placed } from '../config/config-check';
import { type ConfigDocument, readConfigDocument } from '../config/config-document';
import { scopedConfigPath } from '../config/config-scope';
import { readGitCredentialKind } from '../config/git-block';
import { gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { keptKey } from './chosen-environment';
import { CREDENTIAL_FLAGS, findIdentity, type FoundIdentity, kindOf } from './git-identity';
import { type FieldChange, initChanges, type InitFields } from './init-changes';
import { apply } from './init-files';
import { freePorts, requirePorts } from './port-allocation';

/** The type of a new environment if none is named: a pod that works by itself. */
const TYPE_DEFAULT = 'remote-agent';

/** The request of the user. */
export interface InitRequest {
  configFolder: string;
  name: EnvironmentName;
  /** The working folder. */
  folder: string;
  given: InitFields;
  /** A person has refused the identity that was found. */
  isAnonymous?: boolean;
}

/** The changes that `plat init` is going to make, after every check that writes nothing. */
export interface InitPlan {
  name: EnvironmentName;
  /** The file of the environment. */
  path: string;
  given: InitFields;
  defaults: InitFields;
  changes: FieldChange[];
  /** The environment's configuration after the changes. */
  config: EnvConfig;
  /** Unknown keys of the file, as lines for the user. They are kept. */
  warnings: string[];
  /** Undefined on a machine without one. */
  alias?: PlatformAlias | undefined;
  /** The person who commits in the pod, if none was named. */
  found?: FoundIdentity | undefined;
  /** How the project's own file says that the pod signs in to its remote. */
  credentialKind?: GitCredentialKind | undefined;
}

/**
 * Checks the request in the order of Rule H6: names, context, the project's root. Then the file that is there, the
 * alias, and the values.
 *
 * @throws Failure INVALID_NAME; CONTEXT_NOT_FOUND and others of the cluster; CONFIG_UNREADABLE, CONFIG_INVALID;
 * INVALID_VALUE; GIT_CREDENTIAL_UNFIT; PORTS_OVERLAP, NO_PORT_BLOCK; with exit code 127 those of a named or ambiguous alias
 */
export async function planInit(request: InitRequest, interrupted: AbortSignal): Promise<InitPlan> {
  const { configFolder, name, folder } = request;
  requireNewName(name);
  const path = scopedConfigPath(configFolder, name);
  const file = await readConfigDocument(path);
  const { content } = file;
  const warnings = requireNoFaults(file);
  const kubernetesContext = await expectContext(
    request.given.kubernetesContext ?? textOf(content.kubernetesContext),
    interrupted,
  );
  const localRepoPath = await projectRoot(folder, interrupted);
  const alias = await aliasOf(configFolder, request.given.alias ?? textOf(content.alias));
  if (content.localPortRangeStart !== undefined) await requirePorts(configFolder, name);
  const localPortRangeStart =
    content.localPortRangeStart === undefined ? await freePorts(configFolder, name) : undefined;
  const { git, found } = await planGit(request, { content, alias, interrupted });
  const given = { ...request.given, git };
  const defaults: InitFields = { type: TYPE_DEFAULT, kubernetesContext, localRepoPath, alias: alias?.name };
  const changes = initChanges(content, given, { ...defaults, localPortRangeStart });
  apply(file, changes);
  const config = file.document.toJS() as EnvConfig;
  const credentialKind = await readGitCredentialKind(folder);
  if (request.given.git?.credential !== undefined) requireKind(config.git?.credential, credentialKind);
  return { name, path, given, defaults, changes, config, warnings, alias, found, credentialKind };
}

/** Adds the given fields to those of the file. If no person is named who commits, one is looked for. */
async function planGit(
  { configFolder, folder, given, isAnonymous }: InitRequest,
  {
    content,
    alias,
    interrupted,
  }: { content: object; alias: PlatformAlias | undefined; interrupted: AbortSignal },
): Promise<{ git?: InitFields['git']; found?: FoundIdentity | undefined }> {
  const { git: there } = content as Partial<EnvConfig>;
  // A run that gives nothing leaves what is there.
  if (there !== undefined && given.git === undefined) return {};
  const git = { ...there, ...given.git };
  if (git.name !== undefined || git.email !== undefined || isAnonymous === true) {
    return Object.keys(git).length === 0 ? {} : { git };
  }
  const found = await findIdentity({ configFolder, alias, folder }, interrupted);
  if (found === undefined) return given.git === undefined ? {} : { git };
  return { git: { ...git, name: found.name, email: found.email }, found };
}

/** @throws Failure GIT_CREDENTIAL_UNFIT */
function requireKind(
  credential: NonNullable<EnvConfig['git']>['credential'],
  wanted: GitCredentialKind | undefined,
): void {
  const kind = kindOf(credential);
  if (wanted === undefined || kind === wanted) return;
  throw new Failure(
    'GIT_CREDENTIAL_UNFIT',
    `The project's .plat/config.yaml says that its pods sign in to the remote by ${wanted}, not by ${kind}.`,
    {
      details: { kind, wanted },
      next: nextStep('repeat the command with', CREDENTIAL_FLAGS[wanted]),
    },
  );
}

function requireNewName(name: EnvironmentName): void {
  const faults = newNameFaults(name);
  if (faults.length === 0) return;
  throw new Failure('INVALID_NAME', `${faults.map(describeFault).join('; ')}.`, {
    details: { fields: faults.map(({ field }) => field) },
    next: 'repeat the command with other names: plat init <tenant> <env>',
  });
}

/**
 * An empty file is a new environment; a wrong field is the user's to correct, because it may be meant otherwise.
 *
 * @returns the unknown keys of the file
 */
function requireNoFaults(file: ConfigDocument): string[] {
  if (Object.keys(file.content).length === 0) return [];
  const { faults, warnings } = checkDocument('environment', file);
  if (faults.length === 0) return warnings.map(keptKey);
  throw new Failure('CONFIG_INVALID', faults.map(placed).join('; '), {
    details: { faults },
    next: nextStep('correct', [file.path]),
  });
}

/** The top of the checkout that the folder is in; undefined outside of one. */
async function projectRoot(folder: string, interrupted: AbortSignal): Promise<string | undefined> {
  const answer = await gitIn(folder, interrupted).try(['rev-parse', '--show-toplevel']);
  return answer.code === 0 ? answer.stdout.replace(/\n$/, '') : undefined;
}

/** Without any alias the environment gets none; any other fault of an alias is refused. */
async function aliasOf(configFolder: string, name: string | undefined): Promise<PlatformAlias | undefined> {
  try {
    return await resolveAlias(configFolder, name);
  } catch (error) {
    if (error instanceof Failure && error.code === 'NO_PLATFORM_ALIAS') return undefined;
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
