import type { PlatformBlock } from '../config/other-configs';
import { isDomain, isSubdomain } from '../domain';
import type { Fault } from '../fault';
import { type EnvironmentName, labelFault, namespaceOf, splitNamespace } from '../names';

const INGRESS_CLASS_DEFAULT = 'traefik';
const DNS_CONFIG_FOLDER_DEFAULT = '/etc/pdns-shared';

/** Flags that replace what the platform block says. Spec: Client, plat expose. */
export interface PlatformOverrides {
  servicesZone?: string | undefined;
  platformNamespace?: string | undefined;
  ingressClass?: string | undefined;
}

/** The platform that makes environments public. Spec: Client, Exposure plan. */
export interface ExposingPlatform {
  /** The platform's own environment. */
  name: EnvironmentName;
  /** The namespace of the DNS deployment. */
  namespace: string;
  servicesZone: string;
  ingressClassName: string;
  /** Absolute path within the pods of the DNS deployment. */
  dnsConfigFolder: string;
  /** Whether zone and namespace were given by flags. */
  isOverridden: boolean;
}

/**
 * Lists the faults that keep the block and the flags from naming a platform; empty if none. Rules H3 and H12.
 *
 * @param block without a fault of its own
 */
export function platformFaults(block: PlatformBlock, overrides: PlatformOverrides): Fault[] {
  const { servicesZone, platformNamespace, ingressClass } = overrides;
  const faults: Array<Fault | undefined> = [];
  if (block.basedomain === undefined) faults.push({ field: 'platform.basedomain', why: 'is missing' });
  if (block.env === undefined) faults.push({ field: 'platform.env', why: 'is missing' });
  if ((servicesZone === undefined) !== (platformNamespace === undefined)) {
    faults.push(
      servicesZone === undefined
        ? {
            field: '--services-zone',
            why: 'is missing: --platform-namespace is given, and they come together',
          }
        : {
            field: '--platform-namespace',
            why: 'is missing: --services-zone is given, and they come together',
          },
    );
  }
  if (servicesZone !== undefined && !isDomain(servicesZone)) {
    const why = 'is no domain, such as services.example.com';
    faults.push({ field: '--services-zone', value: servicesZone, why });
  }
  if (platformNamespace !== undefined) faults.push(labelFault('--platform-namespace', platformNamespace));
  if (ingressClass !== undefined && !isSubdomain(ingressClass)) {
    faults.push({ field: '--ingress-class', value: ingressClass, why: 'is no name of an ingress class' });
  }
  return faults.filter((fault) => fault !== undefined);
}

/** @throws Error for a block or flags with a fault */
export function exposingPlatform(block: PlatformBlock, overrides: PlatformOverrides): ExposingPlatform {
  const { basedomain, env, serviceszone, ingressclassname, dnsconfigdir } = block;
  const name = env === undefined ? undefined : splitNamespace(env);
  if (name === undefined || platformFaults(block, overrides).length > 0) {
    throw new Error('the platform was not checked');
  }
  return {
    name,
    namespace: overrides.platformNamespace ?? namespaceOf(name),
    servicesZone: overrides.servicesZone ?? serviceszone ?? `services.${basedomain}`,
    ingressClassName: overrides.ingressClass ?? ingressclassname ?? INGRESS_CLASS_DEFAULT,
    dnsConfigFolder: dnsconfigdir ?? DNS_CONFIG_FOLDER_DEFAULT,
    isOverridden: overrides.servicesZone !== undefined,
  };
}
