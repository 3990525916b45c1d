import { IN_CLUSTER, type VariableValues } from '@plat/environments';
import { contractVariables } from '../config/contract-variables';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';

const NAMES = [
  'PLAT_TENANT',
  'PLAT_ENVIRONMENT',
  'PLAT_ENV_TYPE',
  'PLAT_KUBERNETES_CONTEXT',
  'PLAT_NAMESPACE',
  'PLAT_REPO_PATH',
  'PLAT_REPO_URL',
  'PLAT_REPO_REF',
  'PLAT_OUTPUTS_DIR',
  'PLAT_MCP_PORT',
  'PLAT_SSHD_PORT',
  'PLAT_CLOUD_ENVIRONMENT',
  'PLAT_CLOUD_CONTEXT_NAME',
  'PLAT_CLOUD_PROVIDER',
  'PLAT_CLOUD_PROVIDER_ALIAS',
  'PLAT_CLOUD_REGION',
  'PLAT_CLOUD_INSTANCE_ID',
  'PLAT_RUNTIME_REGISTRY',
  'PLAT_CONTAINER_REGISTRIES',
] as const;

/** The variables of a pod that its first process reads. */
export type BootVariables = VariableValues<(typeof NAMES)[number]> & {
  PLAT_TENANT: string;
  PLAT_ENVIRONMENT: string;
};

/**
 * Reads the variables of the pod. Rule H16.
 *
 * @throws Failure INVALID_VARIABLES; NOT_A_POD if this process runs in no pod of an environment, because the boot would
 *   write a person's configuration and serve that person's machine
 */
export function bootVariables(environment: Environment): BootVariables {
  const values = contractVariables(environment, NAMES);
  const { PLAT_TENANT, PLAT_ENVIRONMENT } = values;
  if (
    PLAT_TENANT !== undefined &&
    PLAT_ENVIRONMENT !== undefined &&
    values.PLAT_KUBERNETES_CONTEXT === IN_CLUSTER
  ) {
    return { ...values, PLAT_TENANT, PLAT_ENVIRONMENT };
  }
  throw new Failure(
    'NOT_A_POD',
    'This is no runtime pod: PLAT_TENANT and PLAT_ENVIRONMENT name an environment there, and ' +
      'PLAT_KUBERNETES_CONTEXT is in-cluster.',
    { next: 'plat deploy <tenant> <env>, whose pod boots by itself' },
  );
}
