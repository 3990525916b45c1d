import { join } from 'node:path';
import type { BuildVariables } from '../config/build-variables';
import { configPath } from '../config/config-file';
import { readConfigValue } from '../config/config-values';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';

const VARIABLE = 'PLAT_CONTAINER_REGISTRIES';
const KEY = 'containerRegistries';
const PLATFORM_KEY = 'platform.registry';
const BUILD_ROLE = 'build';
/** A host with an optional port and an optional path. */
const REGISTRY = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/;

/** A registry for the images of a build. */
export interface Registry {
  /** Host with an optional port and an optional path. */
  registry: string;
  /** Whether it is the platform's own, which takes the operator's token. Spec: Client, Authentication, rule 6. */
  isPlatforms: boolean;
}

/**
 * The environment's registries with role build: from PLAT_CONTAINER_REGISTRIES, otherwise from `containerRegistries` in
 * the environment's or the user's configuration. Empty if none is configured. Decision G8.
 *
 * @throws Failure INVALID_REGISTRIES, CONFIG_UNREADABLE
 */
export async function buildRegistries(
  environment: Environment,
  { registries }: BuildVariables,
): Promise<Registry[]> {
  const value =
    registries === undefined ? await configured(environment, KEY) : (parsed(registries) ?? registries);
  const platforms = await configured(environment, PLATFORM_KEY);
  const named = rolesOf(value ?? [], registries === undefined ? KEY : VARIABLE);
  return named
    .filter(({ roles }) => roles.includes(BUILD_ROLE))
    .map(({ registry }) => ({ registry, isPlatforms: hostOf(registry) === platforms }));
}

/** The host, by which credentials are stored. */
export function hostOf(registry: string): string {
  return registry.split('/')[0] ?? registry;
}

function rolesOf(value: unknown, where: string): Array<{ registry: string; roles: unknown[] }> {
  const entries: unknown[] = Array.isArray(value) ? value : [undefined];
  return entries.map((entry) => {
    const { registry, roles } = (entry ?? {}) as { registry?: unknown; roles?: unknown };
    if (typeof registry === 'string' && REGISTRY.test(registry) && Array.isArray(roles)) {
      return { registry, roles };
    }
    throw new Failure(
      'INVALID_REGISTRIES',
      `${where} is not a list of registries with roles: ${JSON.stringify(entry ?? value)}.`,
      { next: `give ${where} as [{"registry": "registry.example.com", "roles": ["build"]}]` },
    );
  });
}

/** A value of the environment's own file, otherwise of the user's. */
async function configured({ configFolder, tenant, environmentName }: Environment, key: string) {
  const files = [
    ...(tenant && environmentName ? [configPath(join(configFolder, tenant, environmentName))] : []),
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
