import { describeVersionFault, isVersion } from '@plat/contracts/core';
import { describeFault, type EnvConfig, type EnvironmentName, nameFaults } from '@plat/environments';
import { scopedConfigPath } from '../config/config-scope';
import { changeConfigFile } from '../config/config-store';
import { chooseConfiguredEnvironment } from '../environments/chosen-environment';
import { requireOwnPorts } from '../environments/port-allocation';
import { Failure } from '../terminal/failure';

/** An environment that is to be deployed. */
export interface DeployedEnvironment {
  config: EnvConfig;
  /** Sentences about unknown keys of its configuration. */
  warnings: string[];
  /** Writes the given version to the configuration. */
  keepVersion(): Promise<void>;
}

/**
 * Reads the configuration of the environment.
 *
 * @param runtimeVersion in place of the configured one
 * @throws Failure INVALID_NAME, INVALID_VERSION, NOT_CONFIGURED, CONFIG_INVALID, PORTS_OVERLAP
 */
export async function openDeploy(
  configFolder: string,
  name: EnvironmentName,
  runtimeVersion: string | undefined,
): Promise<DeployedEnvironment> {
  requireNames(name);
  if (runtimeVersion !== undefined && !isVersion(runtimeVersion)) {
    const fault = {
      field: '--runtime-version',
      value: runtimeVersion,
      why: `is no version: ${describeVersionFault(runtimeVersion)}`,
    };
    throw new Failure('INVALID_VERSION', `${describeFault(fault)}.`, {
      next: 'give a version such as 1.2.3',
    });
  }
  const { config, warnings } = await chooseConfiguredEnvironment(configFolder, name);
  await requireOwnPorts(configFolder, name);
  return {
    config: runtimeVersion === undefined ? config : { ...config, runtimeVersion },
    warnings,
    async keepVersion() {
      if (runtimeVersion === undefined) return;
      const path = scopedConfigPath(configFolder, name);
      await changeConfigFile({ configFolder, path }, ({ document }) =>
        document.set('runtimeVersion', runtimeVersion),
      );
    },
  };
}

function requireNames(name: EnvironmentName): void {
  const faults = nameFaults(name);
  if (faults.length === 0) return;
  throw new Failure('INVALID_NAME', `${faults.map(describeFault).join('; ')}.`, {
    next: 'use lower-case letters, digits and hyphens, starting with a letter',
  });
}
