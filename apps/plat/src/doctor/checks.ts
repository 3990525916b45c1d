import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { ApiClient, getPlatform } from '@plat/api-client';
import { openCheckout, repositoryOfCheckout, requireCleanTree } from '../checkout/checkout';
import { configPath, readConfig } from '../config/config-file';
import { readinessChecks } from '../gate/readiness';
import { gitIn } from '../git/git';
import { aliasStatus } from '../platform/alias-status';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { environmentChecks, type EnvironmentSurroundings } from './environment-checks';
import type { Check } from './examination';
import { forwardChecks } from './forward-checks';
import { type FindBuilder, type Pod, podChecks } from './pod-checks';
import { lookAtRepository } from './repository-check';

const GIT_VERSION_MIN = [2, 39] as const;

export interface Surroundings extends EnvironmentSurroundings {
  /** The folder in which the command runs. */
  folder: string;
  /** The runtime pod in which the command runs; undefined on any other machine. */
  pod?: Pod | undefined;
  builder: FindBuilder;
  /** @throws Failure with exit code 127 */
  platform(): Promise<Platform>;
}

/** The client's requirements, from this machine outwards. */
export async function checks(surroundings: Surroundings): Promise<Check[]> {
  const { configFolder, platform, pod } = surroundings;
  const folder = await projectFolder(surroundings);
  return [
    { name: 'node', look: () => Promise.resolve(process.version) },
    { name: 'git', look: () => gitVersion(folder) },
    { name: 'configuration', look: () => configuration(configFolder) },
    { name: 'alias', look: async () => describeAlias(await platform()) },
    { name: 'platform', look: withAlias(platform, versionOf) },
    { name: 'sign-in', look: withAlias(platform, caller) },
    ...(pod === undefined
      ? [...(await environmentChecks(surroundings)), ...(await forwardChecks(configFolder))]
      : podChecks(pod, surroundings.builder)),
    { name: 'checkout', look: () => checkout(folder) },
    ...driveChecks(folder, configFolder),
    { name: 'repository', look: withAlias(platform, (opened) => lookAtRepository(opened, folder)) },
  ];
}

/** In a pod the project is the environment's, from any folder that is in no checkout. */
async function projectFolder({ folder, pod }: Surroundings): Promise<string> {
  const { checkout: own } = pod ?? {};
  return own === undefined || !existsSync(own) || (await isInCheckout(folder)) ? folder : own;
}

/** Examines all that a drive examines before it takes a review, in the same words. Outside a checkout there is nothing to examine. */
function driveChecks(folder: string, configFolder: string): Check[] {
  const names = ['identity', 'signing', 'origin', 'worktree', 'remote'] as const;
  return names.map((name) => ({
    name,
    look: async () => {
      if (!(await isInCheckout(folder))) return undefined;
      const git = await openCheckout(folder);
      // Without a repository the check of origin says why there is nothing to read.
      if (name === 'remote' && (await repositoryOfCheckout(git).catch(() => undefined)) === undefined) {
        return undefined;
      }
      return readinessChecks(git, { configFolder })
        .find((check) => check.name === name)
        ?.look();
    },
  }));
}

async function isInCheckout(folder: string): Promise<boolean> {
  return (await gitIn(folder).try(['rev-parse', '--show-toplevel'])).code === 0;
}

/** Skips a check without an alias, which the check `alias` reports. */
function withAlias(
  open: Surroundings['platform'],
  look: (platform: Platform) => Promise<string | undefined>,
): Check['look'] {
  return async () => {
    const platform = await open().catch(() => undefined);
    return platform && look(platform);
  };
}

async function gitVersion(folder: string): Promise<string> {
  const text = (await gitIn(folder).run(['--version'])).trim();
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(text)?.slice(1) ?? []).map(Number);
  const [majorMin, minorMin] = GIT_VERSION_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return text;
  throw new Failure('GIT_TOO_OLD', `${text} is older than ${GIT_VERSION_MIN.join('.')}.`, {
    next: 'install a newer git',
  });
}

async function configuration(configFolder: string): Promise<string> {
  const { cloudAliases } = await readConfig(configFolder);
  if (cloudAliases.length > 0) await access(configFolder, constants.W_OK);
  const aliases = cloudAliases.length === 1 ? '1 alias' : `${cloudAliases.length} aliases`;
  return `${configPath(configFolder)}, ${aliases}`;
}

function describeAlias({ alias }: Platform): string {
  return `${alias.name} is ${alias.apiUrl}`;
}

/** Reads the platform's version, for which no sign-in is needed. */
async function versionOf({ alias }: Platform): Promise<string> {
  const { version } = await getPlatform(new ApiClient({ baseUrl: alias.apiUrl }));
  return version === '' ? 'answers' : `answers, version ${version}`;
}

async function caller(platform: Platform): Promise<string> {
  const { username, tenantId } = (await aliasStatus(platform)).caller;
  return `${username} of tenant ${tenantId}`;
}

/** Outside a checkout there is nothing to check, which is not a fault. Drives do not mind changes. */
async function checkout(folder: string): Promise<string | undefined> {
  if (!(await isInCheckout(folder))) return undefined;
  const git = await openCheckout(folder);
  const repository = await repositoryOfCheckout(git);
  const isClean = await requireCleanTree(git).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'DIRTY_TREE') return false;
      throw error;
    },
  );
  return `${repository}, ${isClean ? 'clean' : 'with changes, which only plat exec gate-merge refuses'}`;
}
