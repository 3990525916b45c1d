import { type EnvironmentName, namespaceOf } from '../names';
import type { ExposingPlatform } from './platform';

/** Seconds for which a resolver may keep the wildcard record. Spec: Client, Exposure plan. */
export const RECORD_TTL_SECONDS = 60;

/** How the record is written: into the platform's DNS deployment with kubectl, or by the platform's API. */
export type DnsPath = 'direct' | 'platform';

/** Arguments of kubectl, and where it works. */
export interface KubectlStep {
  /** Undefined: the current context of the kubeconfig. */
  context?: string | undefined;
  namespace: string;
  args: string[];
}

/** The wildcard record of an environment, which `plat expose` writes and `plat unexpose` removes. */
export interface RecordPlan extends EnvironmentName {
  /** The environment's own. */
  namespace: string;
  platformNamespace: string;
  servicesZone: string;
  /** The whole name of the record. */
  wildcardName: string;
  /** Its name within the zone, which is the services zone itself. */
  recordName: string;
  dnsPath: DnsPath;
  /** Why this path: the rest of a sentence. */
  dnsPathReason: string;
  /** The direct path's commands. Spec: Client, plat expose, rule 1; Spec: Client, plat unexpose, rule 1. */
  replaceRecord(ipv4: string): KubectlStep;
  deleteRecord(): KubectlStep;
}

/** The inputs of a record's plan. */
export interface RecordInput {
  name: EnvironmentName;
  platform: ExposingPlatform;
  /** The context of the platform's own environment; undefined if its configuration cannot be loaded. */
  platformContext?: string | undefined;
  /** Whether an alias of type platform is configured. */
  hasAlias: boolean;
}

/** Determines the record and the way in which it is written. Spec: Client, Exposure plan; Rule H12. */
export function planRecord(input: RecordInput): RecordPlan {
  const { name, platform, platformContext } = input;
  const { servicesZone, dnsConfigFolder } = platform;
  const namespace = namespaceOf(name);
  const recordName = `*.${namespace}`;
  const inDns = (...words: string[]): KubectlStep => ({
    context: platformContext,
    namespace: platform.namespace,
    args: [
      ...['exec', `deploy/${platform.name.tenant}-dns`, '--'],
      ...['pdnsutil', `--config-dir=${dnsConfigFolder}`, ...words],
    ],
  });
  return {
    ...name,
    namespace,
    platformNamespace: platform.namespace,
    servicesZone,
    wildcardName: `${recordName}.${servicesZone}`,
    recordName,
    ...dnsPathOf(input),
    replaceRecord: (ipv4) =>
      inDns('replace-rrset', servicesZone, recordName, 'A', String(RECORD_TTL_SECONDS), ipv4),
    deleteRecord: () => inDns('delete-rrset', servicesZone, recordName, 'A'),
  };
}

/** Spec: Client, plat expose, rule 3: the first that holds. */
function dnsPathOf({ platform, hasAlias }: RecordInput): Pick<RecordPlan, 'dnsPath' | 'dnsPathReason'> {
  if (platform.isOverridden) {
    return { dnsPath: 'direct', dnsPathReason: '--services-zone and --platform-namespace are given' };
  }
  return hasAlias
    ? { dnsPath: 'platform', dnsPathReason: 'a platform alias is configured' }
    : { dnsPath: 'direct', dnsPathReason: 'no platform alias is configured' };
}
