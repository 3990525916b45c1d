import { join } from 'node:path';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';

const NAME = /^[a-z][a-z0-9-]*$/;

/**
 * The folder for the state of this process's environment; undefined outside of an environment.
 *
 * @throws Failure INVALID_ENVIRONMENT: the names become names of folders
 */
export function environmentFolder(environment: Environment): string | undefined {
  const { tenant, environmentName, stateFolder } = environment;
  if (tenant === undefined || environmentName === undefined) return undefined;
  const bad = [tenant, environmentName].find((name) => !NAME.test(name));
  if (bad === undefined) return join(stateFolder, tenant, environmentName);
  throw new Failure('INVALID_ENVIRONMENT', `${JSON.stringify(bad)} names no tenant or environment.`, {
    next: 'correct PLAT_TENANT and PLAT_ENVIRONMENT',
  });
}

/** @throws Failure NO_ENVIRONMENT, INVALID_ENVIRONMENT */
export function requireEnvironmentFolder(environment: Environment): string {
  const folder = environmentFolder(environment);
  if (folder !== undefined) return folder;
  throw new Failure('NO_ENVIRONMENT', 'This runs in no environment, so there is nothing to claim.', {
    next: 'run the command in an environment, or name one by PLAT_TENANT and PLAT_ENVIRONMENT',
  });
}
