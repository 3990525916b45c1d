import { join } from 'node:path';
import type { ContainerRegistry } from '@plat/environments';
import type { Environment } from '../environment';
import { ownHome } from '../own-account';
import { contractVariables } from './contract-variables';

/** The variables that a build reads: those of its environment, and those of the container tools. */
export interface BuildVariables {
  /** Spec: Client, Variables set in a runtime pod, PLAT_REPO_PATH. */
  repositoryFolder?: string;
  /** Spec: Client, Variables set in a runtime pod, PLAT_CONTAINER_REGISTRIES. */
  registries?: ContainerRegistry[];
  /** Spec: Client, Variables set in a runtime pod, PLAT_DISABLE_BUILD_SCRIPT. */
  scriptDisabled: boolean;
  /** The folder of docker's configuration. */
  dockerFolder: string;
}

/** Reads the variables. @throws Failure INVALID_VARIABLES */
export function readBuildVariables(environment: Environment): BuildVariables {
  const values = contractVariables(environment, [
    'PLAT_REPO_PATH',
    'PLAT_CONTAINER_REGISTRIES',
    'PLAT_DISABLE_BUILD_SCRIPT',
  ]);
  const { DOCKER_CONFIG } = environment.variables;
  return {
    repositoryFolder: values.PLAT_REPO_PATH,
    registries: values.PLAT_CONTAINER_REGISTRIES,
    scriptDisabled: values.PLAT_DISABLE_BUILD_SCRIPT ?? false,
    dockerFolder: DOCKER_CONFIG || join(ownHome(environment.variables), '.docker'),
  };
}
