import type { EnvConfig } from './config/env-config';
import { BLOCK_START_DEFAULT, portBlock } from './port-blocks';
import type { Pod, SecretRef } from './variable';
import { podVariables } from './variables';

/**
 * The registry of runtime images if neither an image nor a registry is configured. Spec: Client, PLAT_RUNTIME_REGISTRY.
 */
const RUNTIME_REGISTRY_DEFAULT = 'docker.io/plat';
const RUNTIME_IMAGE = 'plat-runtime';

/** The inputs of the chart's values. */
export interface Runtime extends Pod {
  /** The release whose image runs if the configuration names none: the client's own. */
  clientVersion: string;
  /** Name of the secret with the sign-in at the image's registry, if there is one. */
  registrySecret?: string | undefined;
  /** Versions of the deployed secrets, by their use. The pod starts again when one changes. */
  secretVersions?: Readonly<Record<string, string>> | undefined;
}

/** Values of the runtime chart. `values.schema.json` describes them. */
export interface RuntimeValues {
  tenant: string;
  environment: string;
  image: string;
  replicas: 0 | 1;
  variables: Record<string, string | SecretRef>;
  mcpEnabled?: boolean;
  /** Port of the Service `<tenant>-ssh`. */
  sshPort?: number;
  resources?: { cpu?: string; memory?: string };
  registrySecret?: string;
  secretVersions?: Record<string, string>;
}

/**
 * The chart's values for an environment. What does not resolve is left out, and the chart's own default counts. No
 * secret is in them, only the names of secrets. Rules G13 and H7.
 */
export function runtimeValues(runtime: Runtime): RuntimeValues {
  const { name, config, registrySecret, secretVersions = {} } = runtime;
  const start = config.localPortRangeStart ?? BLOCK_START_DEFAULT;
  return withoutUndefined({
    tenant: name.tenant,
    environment: name.environment,
    image: runtimeImage(config, runtime.clientVersion),
    replicas: config.stopped === true ? 0 : 1,
    variables: Object.fromEntries(podVariables(runtime).map(({ name: key, value }) => [key, value])),
    mcpEnabled: config.mcpEnabled,
    sshPort: portBlock(start).sshd,
    resources: resources(config),
    registrySecret,
    secretVersions: Object.keys(secretVersions).length === 0 ? undefined : { ...secretVersions },
  });
}

/** The image of the pod: the configured one, otherwise that of the release in the registry of runtime images. */
export function runtimeImage(config: EnvConfig, clientVersion: string): string {
  const { runtimeImage: image, runtimeRegistry: registry = RUNTIME_REGISTRY_DEFAULT } = config;
  return image ?? `${registry}/${RUNTIME_IMAGE}:${config.runtimeVersion ?? clientVersion}`;
}

function resources({ pod }: EnvConfig): RuntimeValues['resources'] {
  const given = withoutUndefined({ cpu: pod?.cpu?.toString(), memory: pod?.memory?.toString() });
  return Object.keys(given).length === 0 ? undefined : given;
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
