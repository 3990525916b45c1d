import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { EnvConfig, EnvironmentName } from '@plat/environments';
import { type ConfigFinding, placed, readEnvConfig } from '../config/config-check';
import { readConfigDocument } from '../config/config-document';
import { readConfiguredNames, scopedConfigPath } from '../config/config-scope';
import { ownEnvironment } from '../config/environment-folder';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { Args } from '../terminal/oclif';
import {
  type ChoiceFacts,
  chooseEnvironment,
  type KnownEnvironment,
  notConfigured,
} from './environment-choice';

/** The names of a command that works on one environment. Rule H2. */
export const environmentArgs = {
  tenant: Args.string({
    description: 'Its tenant; a single name is an environment of the default tenant',
    ignoreStdin: true,
  }),
  environment: Args.string({
    description: 'Its name; without any name: the environment of this folder, or the default one',
    ignoreStdin: true,
  }),
};

/** The values of environmentArgs. */
export interface EnvironmentArgs {
  tenant?: string | undefined;
  environment?: string | undefined;
}

/** An environment of the configuration. */
export interface ConfiguredEnvironment {
  name: EnvironmentName;
  config: EnvConfig;
  /** Unknown keys of its file, as lines for the user. */
  warnings: string[];
}

/** Reads the facts that the choice depends on from the configuration and the variables. */
export async function choiceFacts(environment: Environment, folder: string): Promise<ChoiceFacts> {
  const { configFolder } = environment;
  const { tenants, environments } = await readConfiguredNames(configFolder);
  const known = await Promise.all(
    environments.map(async (name): Promise<KnownEnvironment> => {
      const path = await textAt(scopedConfigPath(configFolder, name), 'localRepoPath');
      return { ...name, localRepoPath: path === undefined ? undefined : await withoutLinks(path) };
    }),
  );
  const defaults = await Promise.all(
    tenants.map(async (tenant) => {
      const path = scopedConfigPath(configFolder, { tenant });
      return [tenant, await textAt(path, 'defaultEnvironment')] as const;
    }),
  );
  return {
    own: ownEnvironment(environment),
    folder: await withoutLinks(folder),
    known,
    defaultTenant: await textAt(scopedConfigPath(configFolder, {}), 'defaultTenant'),
    defaultEnvironments: Object.fromEntries(defaults),
  };
}

/**
 * The environment that the names of a command mean. It need not be configured: in a pod it may not be.
 *
 * @throws Failure those of chooseEnvironment
 */
export async function chooseName(
  environment: Environment,
  { tenant, environment: name }: EnvironmentArgs,
  folder = process.cwd(),
): Promise<EnvironmentName> {
  const names = [tenant, name].filter((one) => one !== undefined);
  return chooseEnvironment(names, await choiceFacts(environment, folder));
}

/**
 * The configured environment that the names of a command mean.
 *
 * @throws Failure those of chooseEnvironment; NOT_CONFIGURED, CONFIG_UNREADABLE, CONFIG_INVALID
 */
export async function findConfiguredEnvironment(
  environment: Environment,
  args: EnvironmentArgs,
): Promise<ConfiguredEnvironment> {
  return chooseConfiguredEnvironment(environment.configFolder, await chooseName(environment, args));
}

/** @throws Failure NOT_CONFIGURED with what is configured; CONFIG_UNREADABLE, CONFIG_INVALID */
export async function chooseConfiguredEnvironment(
  configFolder: string,
  name: EnvironmentName,
): Promise<ConfiguredEnvironment> {
  const { environments } = await readConfiguredNames(configFolder);
  const isKnown = environments.some(
    ({ tenant, environment }) => tenant === name.tenant && environment === name.environment,
  );
  if (!isKnown) throw notConfigured(name, environments);
  const { config, warnings } = await readEnvConfig(configFolder, name);
  return { name, config, warnings: warnings.map(keptKey) };
}

/** The warning about an unknown key of a file. */
export function keptKey(finding: ConfigFinding): string {
  return `${placed(finding)} (kept)`;
}

/** A text of a file. A file that cannot be read has none: the commands that need it report that. */
async function textAt(path: string, field: string): Promise<string | undefined> {
  try {
    const value = (await readConfigDocument(path)).content[field];
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The path as the system names it; as given if nothing is there. */
async function withoutLinks(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
