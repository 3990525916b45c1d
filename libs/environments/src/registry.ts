/** A registry of an environment and what it is for. Spec: Client, PLAT_CONTAINER_REGISTRIES. */
export interface ContainerRegistry {
  /** Host with an optional port and an optional path. */
  registry: string;
  /** At least one, such as `build` and `deploy`. */
  roles: readonly string[];
}

/** A host with an optional port and an optional path. */
export const REGISTRY = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/;
const REGISTRY_LENGTH_MAX = 255;
export const ROLE = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const ROLE_LENGTH_MAX = 63;

/** Whether the text names a registry. */
export function isRegistry(text: string): boolean {
  return text.length <= REGISTRY_LENGTH_MAX && REGISTRY.test(text);
}

/** Whether the text can be a role of a registry. */
export function isRole(text: string): boolean {
  return text.length <= ROLE_LENGTH_MAX && ROLE.test(text);
}

/** Reads a JSON list of registries; undefined if it is not one, or if an entry has no role. */
export function parseRegistries(text: string): ContainerRegistry[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) && value.every(isContainerRegistry) ? value : undefined;
}

/** Whether the value is a registry with at least one role. */
export function isContainerRegistry(value: unknown): value is ContainerRegistry {
  const { registry, roles } = (value ?? {}) as { registry?: unknown; roles?: unknown };
  if (typeof registry !== 'string' || !isRegistry(registry) || !Array.isArray(roles)) return false;
  return roles.length > 0 && roles.every((role) => typeof role === 'string' && isRole(role));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
