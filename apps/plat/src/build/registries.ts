import { join } from 'node:path';
import { type ContainerRegistry, isContainerRegistry } from '@plat/environments';
import type { BuildVariables } from '../config/build-variables';
import { configPath } from '../config/config-file';
import { readConfigValue } from '../config/config-values';
import { ownEnvironment } from '../config/environment-folder';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

const KEY = 'containerRegistries';
const PLATFORM_KEY = 'platform.registry';
const BUILD_ROLE = 'build';

/** A registry for the images of a build. */
export interface Registry {
  /** Host with an optional port and an optional path. */
  registry: string;
  /** Whether it is the platform's own, which takes the operator's token. Spec: Client, Authentication, rule 6. */
  isPlatforms: boolean;
}

/**
 * The environment's registries with role build: from PLAT_CONTAINER_REGISTRIES, otherwise from `containerRegistries` in
 * the environment's or the user's configuration. Empty if none is configured. Rule G8.
 *
 * @throws Failure INVALID_REGISTRIES, INVALID_VARIABLES, CONFIG_UNREADABLE
 */
export async function buildRegistries(
  environment: Environment,
  { registries }: BuildVariables,
): Promise<Registry[]> {
  const named = registries ?? checked((await readConfigured(environment, KEY)) ?? []);
  const platforms = await readConfigured(environment, PLATFORM_KEY);
  return named
    .filter(({ roles }) => roles.includes(BUILD_ROLE))
    .map(({ registry }) => ({ registry, isPlatforms: hostOf(registry) === platforms }));
}

/** The host, by which credentials are stored. */
export function hostOf(registry: string): string {
  return registry.split('/')[0] ?? registry;
}

function checked(value: unknown): ContainerRegistry[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  const wrong = Array.isArray(value) ? entries.find((entry) => !isContainerRegistry(entry)) : value;
  if (wrong === undefined) return entries.filter(isContainerRegistry);
  throw new Failure(
    'INVALID_REGISTRIES',
    `${KEY} is not a list of registries with roles: ${JSON.stringify(wrong)}.`,
    {
      next: nextStep('give', [KEY], 'as [{"registry": "registry.example.com", "roles": ["build"]}]'),
    },
  );
}

/** A value of the environment's own file, otherwise of the user's. */
async function readConfigured(environment: Environment, key: string) {
  const { configFolder } = environment;
  const own = ownEnvironment(environment);
  const files = [
    ...(own ? [configPath(join(configFolder, own.tenant, own.environment))] : []),
    configPath(configFolder),
  ];
  for (const file of files) {
    const value = await readConfigValue(file, key).catch(absent);
    if (value !== undefined) return value;
  }
  return undefined;
}

function absent(error: unknown): undefined {
  if (error instanceof Failure && error.code === 'NO_SUCH_KEY') return undefined;
  throw error;
}
