import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '@plat/contracts/core';
import { describeFault, type EnvironmentName, isLabel, labelFault } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { Flags } from '../terminal/oclif';
import { configPath } from './config-file';

/** The configuration file that a command works on. Rule G3. */
export const configScopeFlags = {
  tenant: Flags.string({ description: "The tenant's own file", helpValue: '<tenant>' }),
  environment: Flags.string({
    description: "The environment's own file",
    dependsOn: ['tenant'],
    helpValue: '<env>',
  }),
};

/** The owner of the file: the user without names, a tenant's, or an environment's. */
export type ConfigScope = { tenant?: string; environment?: string };

/**
 * The path of the user's, the tenant's or the environment's file.
 *
 * @throws Failure INVALID_NAME: the names become names of folders
 */
export function scopedConfigPath(configFolder: string, { tenant, environment }: ConfigScope): string {
  const named = defined({ tenant, environment });
  const faults = Object.entries(named).map(([field, name]) => labelFault(field, name));
  const wrong = faults.filter((fault) => fault !== undefined);
  if (wrong.length > 0) {
    throw new Failure('INVALID_NAME', `${wrong.map(describeFault).join('; ')}.`, {
      next: 'use lower-case letters, digits and hyphens, starting with a letter',
    });
  }
  return configPath(join(configFolder, ...Object.values(named)));
}

/** The level of a scope's file, which decides on its fields. */
export function levelOf({ tenant, environment }: ConfigScope): 'user' | 'tenant' | 'environment' {
  if (environment !== undefined) return 'environment';
  return tenant === undefined ? 'user' : 'tenant';
}

/** The names of the tenants and environments that have a configuration file, sorted. */
export interface ConfiguredNames {
  tenants: string[];
  environments: EnvironmentName[];
}

/** The tenants and environments with a file of their own. Other folders of the store (`sessions`) hold none. */
export async function readConfiguredNames(configFolder: string): Promise<ConfiguredNames> {
  const found: ConfiguredNames = { tenants: [], environments: [] };
  for (const tenant of await folders(configFolder)) {
    if (await hasConfig(join(configFolder, tenant))) found.tenants.push(tenant);
    for (const environment of await folders(join(configFolder, tenant))) {
      if (await hasConfig(join(configFolder, tenant, environment))) {
        found.environments.push({ tenant, environment });
      }
    }
  }
  return found;
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && isLabel(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** True also if `config.yaml` is not a file: an attempt to read it reports that. */
async function hasConfig(folder: string): Promise<boolean> {
  return (await readdir(folder)).includes('config.yaml');
}
