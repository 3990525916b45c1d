import { resolveRegion } from './region';
import type { PodVariable } from './variable';
import { BOOL, oneOf, REGISTRIES, STRING } from './variable-type';
import { CLOUD_PROVIDERS } from './words';

/** The profile into which the operator's short-lived credentials are written. */
const PROFILE = 'plat';

/** The cloud that the pod runs in, and its registries. Spec: Client, Variables set in a runtime pod. */
export const CLOUD_VARIABLES = {
  PLAT_CLOUD_ENVIRONMENT: {
    type: STRING,
    default: 'unset',
    set: 'if it is configured',
    from: ['cloud.alias'],
    readBy: ['plat idle watch'],
    purpose: 'Alias of the cloud context; if it is set, the cloud is managed',
    value: ({ config }) => config.cloud?.alias,
  },
  PLAT_CLOUD_CONTEXT_NAME: {
    type: STRING,
    default: 'unset',
    set: 'if it is configured',
    from: ['cloud.contextName'],
    readBy: ['plat runtime boot'],
    purpose: 'Id of the cluster',
    value: ({ config }) => config.cloud?.contextName,
  },
  PLAT_CLOUD_PROVIDER: {
    type: oneOf(CLOUD_PROVIDERS),
    default: 'unset',
    set: 'if it is configured',
    from: ['cloud.provider'],
    readBy: ['plat runtime boot'],
    purpose: 'Kind of provider',
    value: ({ config }) => config.cloud?.provider,
  },
  PLAT_CLOUD_PROVIDER_ALIAS: {
    type: STRING,
    default: 'unset',
    set: 'if it is configured',
    from: ['cloud.providerAlias'],
    readBy: ['plat runtime boot'],
    purpose: "The administrator's name for the provider",
    value: ({ config }) => config.cloud?.providerAlias,
  },
  PLAT_CLOUD_REGION: {
    type: STRING,
    default: 'unset',
    set: 'if it is configured',
    from: ['cloud.region'],
    readBy: ['plat runtime boot'],
    purpose: 'Region of the cloud',
    value: ({ config }) => config.cloud?.region,
  },
  PLAT_CLOUD_INSTANCE_ID: {
    type: STRING,
    default: 'unset',
    set: 'if it is configured',
    from: ['cloud.instanceId'],
    readBy: ['plat runtime boot'],
    purpose: "The provider's id of the instance",
    value: ({ config }) => config.cloud?.instanceId,
  },
  CLOUDA_PROFILE: {
    type: STRING,
    default: 'unset',
    set: `in a cloud-a environment with a cloud alias: \`${PROFILE}\``,
    from: ['cloud.provider', 'cloud.alias'],
    readBy: ["the cloud's tools"],
    purpose: "Profile into which the operator's short-lived credentials are written",
    value: ({ config: { cloud } }) =>
      cloud?.provider === 'cloud-a' && cloud.alias !== undefined ? PROFILE : undefined,
  },
  CLOUDA_REGION: {
    type: STRING,
    default: 'unset',
    set:
      'if a region resolves, in this order: `cloud.region` of a managed context (not that of another vendor), the ' +
      'name of the kubeconfig context, `cloud.identityRegion`, the host of a registry',
    from: [
      'cloud.region',
      'kubernetesContext',
      'cloud.identityRegion',
      'containerRegistries',
      'runtimeRegistry',
    ],
    readBy: ["the cloud's tools"],
    purpose: 'Default region of SDK and CLI calls in the pod; never empty',
    value: ({ config }) => resolveRegion(config),
  },
  AGENT_SMALL_FAST_MODEL_CLOUDA_REGION: {
    type: STRING,
    default: 'CLOUDA_REGION',
    set: 'if it is configured, or if CLOUDA_REGION is set',
    from: ['agent.smallFastModelRegion'],
    readBy: ['the coding agent'],
    purpose: "Region of the agent's small helper model",
    value: ({ config }) => config.agent?.smallFastModelRegion ?? resolveRegion(config),
  },
  PLAT_RUNTIME_REGISTRY: {
    type: STRING,
    default: 'unset',
    set: 'if it is configured',
    from: ['runtimeRegistry'],
    readBy: ['plat runtime boot'],
    purpose: 'Registry of runtime images and their versions; unset: a public one',
    value: ({ config }) => config.runtimeRegistry,
  },
  PLAT_CONTAINER_REGISTRIES: {
    type: REGISTRIES,
    default: 'unset',
    set: 'if there is at least one',
    from: ['containerRegistries'],
    readBy: ['plat'],
    purpose: "The environment's registries: objects with `registry` and `roles`",
    value: ({ config: { containerRegistries = [] } }) =>
      containerRegistries.length === 0
        ? undefined
        : JSON.stringify(containerRegistries.map(({ registry, roles }) => ({ registry, roles }))),
  },
  PLAT_DISABLE_BUILD_SCRIPT: {
    type: BOOL,
    default: 'false',
    set: 'if it is configured, true or false',
    from: ['disableBuildScript'],
    readBy: ['plat'],
    purpose: 'Builds in the pod look for no build script',
    value: ({ config }) => config.disableBuildScript?.toString(),
  },
} as const satisfies Record<string, PodVariable>;
