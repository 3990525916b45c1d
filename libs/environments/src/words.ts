/** Spec: Client, PLAT_ENV_TYPE. */
export const ENVIRONMENT_TYPES = ['local-agent', 'remote-agent', 'runtime'] as const;
/** Spec: Client, PLAT_CLOUD_PROVIDER. */
export const CLOUD_PROVIDERS = ['cloud-a', 'cloud-b', 'cloud-c', 'onprem'] as const;
