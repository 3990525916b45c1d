import type { EnvConfig } from './config/env-config';
import type { ContainerRegistry } from './registry';

/** Longest name that is searched for a region, in characters. */
const LENGTH_MAX = 512;
const REGION = '([a-z]{2,}(?:-[a-z0-9]+)+)';
/** Names that the first vendor's own tools give to contexts of the kubeconfig. */
const CONTEXTS = [
  new RegExp(`^arn:[a-z-]+:eks:${REGION}:[^:]*:`),
  new RegExp(`^[^@]+@[^@.]+\\.${REGION}\\.eksctl\\.io$`),
];
const REGISTRY_HOST = new RegExp(`^\\d+\\.dkr\\.ecr\\.${REGION}\\.`);

/**
 * The first vendor's region for calls from the pod, in the contract's order: the managed cloud context, the name of the
 * kubeconfig context, the region of the alias's identity centre, the host of a registry. The region of a managed
 * cloud of another vendor does not count. Undefined: none resolves. Spec: Client, CLOUDA_REGION; Rule H14.
 */
export function resolveRegion(config: EnvConfig): string | undefined {
  const { cloud, kubernetesContext, containerRegistries = [], runtimeRegistry } = config;
  const registries = [
    ...containerRegistries.map(({ registry }: ContainerRegistry) => registry),
    runtimeRegistry,
  ];
  return (
    managedRegion(cloud) ??
    found(CONTEXTS, kubernetesContext) ??
    cloud?.identityRegion ??
    registries.map((registry) => found([REGISTRY_HOST], registry)).find((region) => region !== undefined)
  );
}

function managedRegion(cloud: EnvConfig['cloud']): string | undefined {
  const isManaged = cloud?.alias !== undefined;
  const isOfAnother = cloud?.provider !== undefined && cloud.provider !== 'cloud-a';
  return isManaged && !isOfAnother ? cloud.region : undefined;
}

function found(patterns: readonly RegExp[], name: string | undefined): string | undefined {
  if (name === undefined || name.length > LENGTH_MAX) return undefined;
  return patterns.map((pattern) => pattern.exec(name)?.[1]).find((region) => region !== undefined);
}
