import { isAbsolute, relative } from 'node:path';
import { describeFault, type EnvironmentName, nameFaults } from '@plat/environments';
import { nearest } from '@plat/local';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';

/** An environment of the configuration, as far as the choice depends on it. */
export interface KnownEnvironment extends EnvironmentName {
  /** The project's checkout, without symbolic links. */
  localRepoPath?: string | undefined;
}

/** The facts that the choice of an environment depends on. */
export interface ChoiceFacts {
  /** The environment that PLAT_TENANT and PLAT_ENVIRONMENT name. */
  own?: EnvironmentName | undefined;
  /** The working folder, without symbolic links. */
  folder: string;
  known: readonly KnownEnvironment[];
  defaultTenant?: string | undefined;
  /** The default environment of each tenant, keyed by tenant. */
  defaultEnvironments: Readonly<Record<string, string | undefined>>;
}

const NEXT = 'plat list; to create one: plat init <tenant> <env>';

/**
 * The environment that a command without names means: the process's own, otherwise the one whose checkout the working
 * folder is in, otherwise the default one. Rule H2.
 *
 * @returns undefined if there is none
 */
export function effectiveEnvironment(facts: ChoiceFacts): EnvironmentName | undefined {
  const { own, defaultTenant, defaultEnvironments } = facts;
  if (own !== undefined) return own;
  const here = environmentOfFolder(facts);
  if (here !== undefined) return here;
  const environment = defaultTenant === undefined ? undefined : defaultEnvironments[defaultTenant];
  return defaultTenant === undefined || environment === undefined
    ? undefined
    : { tenant: defaultTenant, environment };
}

/**
 * The environment that a command's names mean. None: see effectiveEnvironment; one: an environment of the default
 * tenant; two: tenant and environment. Rule H2.
 *
 * @throws Failure NO_ENVIRONMENT_NAMED, NO_DEFAULT_TENANT, INVALID_NAME; each lists what is configured
 */
export function chooseEnvironment(names: readonly string[], facts: ChoiceFacts): EnvironmentName {
  const [first, second] = names;
  if (first === undefined) return effectiveEnvironment(facts) ?? unnamed(facts);
  if (second !== undefined) return checkedName({ tenant: first, environment: second });
  const { defaultTenant, known } = facts;
  if (defaultTenant !== undefined) return checkedName({ tenant: defaultTenant, environment: first });
  const same = known.find(({ environment }) => environment === first);
  throw new Failure(
    'NO_DEFAULT_TENANT',
    `One name means an environment of the default tenant, and there is no default tenant. ${configured(known)}`,
    {
      details: { environments: known.map(fullName) },
      next: nextStep(
        'give tenant and environment:',
        same === undefined ? '<tenant> <env>' : [same.tenant, same.environment],
        '; or choose one for good: plat config set defaultTenant',
        same === undefined ? '<tenant>' : [same.tenant],
      ),
    },
  );
}

/** @throws Failure INVALID_NAME: the names become names of folders */
export function checkedName(name: EnvironmentName): EnvironmentName {
  const faults = nameFaults(name);
  if (faults.length === 0) return name;
  throw new Failure('INVALID_NAME', `${faults.map(describeFault).join('; ')}.`, { next: NEXT });
}

/**
 * The refusal of an environment that the configuration does not have.
 *
 * @param asTyped the command for a name that is meant as it was typed; default: to create that environment
 */
export function notConfigured(
  name: EnvironmentName,
  known: readonly EnvironmentName[],
  asTyped?: NextStep,
): Failure {
  const full = fullName(name);
  const meant = nearest(full, known.map(fullName));
  const other = asTyped ?? nextStep('plat init', wordsOf(name));
  return new Failure('NOT_CONFIGURED', `There is no environment ${full}. ${configured(known)}`, {
    details: { tenant: name.tenant, environment: name.environment, environments: known.map(fullName) },
    next:
      meant === undefined
        ? other
        : nextStep(
            'repeat the command with',
            meant.split(' '),
            asTyped === undefined ? '; to create the other:' : '; if the other is meant:',
            other,
          ),
  });
}

/** As a person types it: `<tenant> <env>`. */
export function fullName(name: EnvironmentName): string {
  return wordsOf(name).join(' ');
}

const wordsOf = ({ tenant, environment }: EnvironmentName): string[] => [tenant, environment];

/** A sentence with the environments of the configuration. */
function configured(known: readonly EnvironmentName[]): string {
  return known.length === 0
    ? 'No environment is configured.'
    : `Configured: ${known.map(fullName).join(', ')}.`;
}

/** The environment with the longest checkout that the folder is in; undefined if two have it. */
function environmentOfFolder({ folder, known }: ChoiceFacts): EnvironmentName | undefined {
  const around = known.filter(
    ({ localRepoPath }) => localRepoPath !== undefined && isIn(folder, localRepoPath),
  );
  const longest = Math.max(...around.map(({ localRepoPath = '' }) => localRepoPath.length));
  const [found, another] = around.filter(({ localRepoPath }) => localRepoPath?.length === longest);
  if (found === undefined || another !== undefined) return undefined;
  return { tenant: found.tenant, environment: found.environment };
}

function isIn(folder: string, above: string): boolean {
  const way = relative(above, folder);
  return way === '' || (way !== '..' && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
}

function unnamed({ defaultTenant, known }: ChoiceFacts): never {
  const why =
    defaultTenant === undefined
      ? 'and there is no default tenant'
      : `and the default tenant ${defaultTenant} has no default environment`;
  throw new Failure('NO_ENVIRONMENT_NAMED', `No environment is named, ${why}. ${configured(known)}`, {
    details: { environments: known.map(fullName) },
    next:
      known[0] === undefined
        ? 'plat init <tenant> <env>'
        : nextStep('repeat the command with', wordsOf(known[0])),
  });
}
