import { join } from 'node:path';
import { Failure } from '../terminal/failure';
import { Flags } from '../terminal/oclif';
import { configPath } from './config-file';

const NAME = /^[a-z][a-z0-9-]*$/;

/** The configuration file that a command works on. Decision G3. */
export const configScopeFlags = {
  tenant: Flags.string({ description: "The tenant's own file", helpValue: '<tenant>' }),
  environment: Flags.string({
    description: "The environment's own file",
    dependsOn: ['tenant'],
    helpValue: '<env>',
  }),
};

/**
 * The path of the user's, the tenant's or the environment's file.
 *
 * @throws Failure INVALID_NAME: the names become names of folders
 */
export function scopedConfigPath(
  configFolder: string,
  { tenant, environment }: { tenant?: string; environment?: string },
): string {
  const names = [tenant, environment].filter((name) => name !== undefined);
  const bad = names.find((name) => !NAME.test(name));
  if (bad !== undefined) {
    throw new Failure('INVALID_NAME', `${JSON.stringify(bad)} names no tenant or environment.`, {
      next: 'use lower-case letters, digits and hyphens, starting with a letter',
    });
  }
  return configPath(join(configFolder, ...names));
}
