import { join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { contractVariables } from './contract-variables';

/**
 * The environment that PLAT_TENANT and PLAT_ENVIRONMENT name; undefined outside of an environment.
 *
 * @throws Failure INVALID_VARIABLES: the names become names of folders
 */
export function ownEnvironment(environment: Environment): EnvironmentName | undefined {
  const own = contractVariables(environment, ['PLAT_TENANT', 'PLAT_ENVIRONMENT']);
  const { PLAT_TENANT: tenant, PLAT_ENVIRONMENT: name } = own;
  return tenant === undefined || name === undefined ? undefined : { tenant, environment: name };
}

/**
 * The folder for the state of this process's environment; undefined outside of an environment.
 *
 * @throws Failure INVALID_VARIABLES
 */
export function environmentFolder(environment: Environment): string | undefined {
  const own = ownEnvironment(environment);
  return own && join(environment.stateFolder, own.tenant, own.environment);
}

/** @throws Failure NO_ENVIRONMENT, INVALID_VARIABLES */
export function requireEnvironmentFolder(environment: Environment): string {
  const folder = environmentFolder(environment);
  if (folder !== undefined) return folder;
  throw new Failure('NO_ENVIRONMENT', 'This runs in no environment, so there is nothing to claim.', {
    next: 'run the command in an environment, or name one by PLAT_TENANT and PLAT_ENVIRONMENT',
  });
}
