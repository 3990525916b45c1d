import type { Fault } from './fault';

/** Longest label of a host name, hence longest `<tenant>-<env>` and `<tenant>-<service>`, in characters. RFC 1035. */
export const LABEL_LENGTH_MAX = 63;
/** Longest name of a helm release, in characters. The one of an environment is `<tenant>-runtime`. */
const RELEASE_LENGTH_MAX = 53;
export const LABEL = /^[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** Names that no tenant may have, because a folder or namespaces of those names have another use. */
const RESERVED_TENANTS: Readonly<Record<string, string>> = {
  kube: 'would give its environments namespaces that are reserved for Kubernetes',
  portforward: 'is the name of a folder of the configuration',
  sessions: 'is the name of a folder of the configuration',
  users: 'is the name of a folder of the configuration',
  jobs: 'is the name of a folder of the state',
};

/** An environment's full name. */
export interface EnvironmentName {
  tenant: string;
  environment: string;
}

/** Whether the text can name a tenant, an environment or a service: a DNS-1035 label. Rule H1. */
export function isLabel(text: string): boolean {
  return text.length <= LABEL_LENGTH_MAX && LABEL.test(text);
}

/** Returns why the text is no label, as the rest of a sentence; undefined for a label. */
export function labelFault(field: string, value: string): Fault | undefined {
  if (value.length > LABEL_LENGTH_MAX) {
    return { field, value, why: `has more than ${LABEL_LENGTH_MAX} characters` };
  }
  if (LABEL.test(value)) return undefined;
  return {
    field,
    value,
    why: 'is no name: use lower-case letters, digits and hyphens, a letter first and no hyphen last',
  };
}

/**
 * Everything that is wrong with the names of an environment; empty if nothing is. Every command applies these rules.
 * Rule H1.
 */
export function nameFaults({ tenant, environment }: EnvironmentName): Fault[] {
  const faults = [labelFault('tenant', tenant), labelFault('environment', environment)].filter(
    (fault) => fault !== undefined,
  );
  if (faults.length > 0) return faults;
  const namespace = namespaceOf({ tenant, environment });
  if (namespace.length <= LABEL_LENGTH_MAX) return [];
  return [
    {
      field: 'tenant and environment',
      value: namespace,
      why: `have more than ${LABEL_LENGTH_MAX} characters together`,
    },
  ];
}

/**
 * The faults of names that `plat init` is about to give: those of nameFaults, a tenant with a hyphen (`<tenant>-<env>`
 * is split at the first one), a reserved tenant, and a tenant that is too long for a helm release. Rule H1.
 */
export function newNameFaults(name: EnvironmentName): Fault[] {
  const faults = nameFaults(name);
  if (faults.length > 0) return faults;
  const { tenant } = name;
  const field = 'tenant';
  if (tenant.includes('-')) {
    return [{ field, value: tenant, why: 'has a hyphen, but <tenant>-<env> is split at the first one' }];
  }
  const reserved = Object.hasOwn(RESERVED_TENANTS, tenant) ? RESERVED_TENANTS[tenant] : undefined;
  if (reserved !== undefined) return [{ field, value: tenant, why: reserved }];
  const { release } = runtimeNames(name);
  if (release.length <= RELEASE_LENGTH_MAX) return [];
  return [
    {
      field,
      value: tenant,
      why: `is too long: helm refuses the release ${release}, which has more than ${RELEASE_LENGTH_MAX} characters`,
    },
  ];
}

/** The environment's namespace, and its label in public names: `<tenant>-<env>`. */
export function namespaceOf({ tenant, environment }: EnvironmentName): string {
  return `${tenant}-${environment}`;
}

/** Splits `<tenant>-<env>` at the first hyphen; undefined if a part is no name. Rule G12. */
export function splitNamespace(text: string): EnvironmentName | undefined {
  const hyphen = text.length > LABEL_LENGTH_MAX ? -1 : text.indexOf('-');
  if (hyphen < 0) return undefined;
  const name = { tenant: text.slice(0, hyphen), environment: text.slice(hyphen + 1) };
  return nameFaults(name).length === 0 ? name : undefined;
}

/** Key of the MCP server's token in its secret, and the name of the file in which the pod has it. */
export const MCP_TOKEN_KEY = 'token';

/** The Kubernetes objects of an environment. Rules H7 and H9. */
export interface RuntimeNames {
  namespace: string;
  /** The name of the helm release, the Deployment and the ServiceAccount. */
  release: string;
  mcpService: string;
  sshService: string;
  apiService: string;
  /** Secrets that the deploy writes. */
  sessionSecret: string;
  gatewaySecret: string;
  registrySecret: string;
  mcpSecret: string;
  gitSecret: string;
}

/** Names of the environment's objects. */
export function runtimeNames(name: EnvironmentName): RuntimeNames {
  const { tenant } = name;
  const release = `${tenant}-runtime`;
  return {
    namespace: namespaceOf(name),
    release,
    mcpService: `${tenant}-mcp`,
    sshService: `${tenant}-ssh`,
    apiService: `${tenant}-api`,
    sessionSecret: `${release}-session`,
    gatewaySecret: `${release}-gateway`,
    registrySecret: `${release}-registry`,
    mcpSecret: `${release}-mcp`,
    gitSecret: `${release}-git`,
  };
}
