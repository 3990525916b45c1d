import type { Fault } from '../fault';
import { type EnvironmentName, LABEL_LENGTH_MAX, labelFault, namespaceOf } from '../names';
import { type Dns01Flags } from './dns01';
import { type CertificateManifests, certificateManifests, ingressManifest, type Manifest } from './manifests';
import { type KubectlStep, planRecord, type RecordInput, type RecordPlan } from './record-plan';
import { decideTls, type TlsDecision } from './tls-decision';

/** Longest host name, in characters. RFC 1035. */
const HOSTNAME_LENGTH_MAX = 253;
const APPLY = ['apply', '--filename', '-'];

/** The inputs of a plan, all of them free of faults. */
export interface ExposureInput extends RecordInput {
  service: string;
  /** The context of the environment's own cluster. */
  kubernetesContext: string;
  /** IPv4 address of the environment's ingress. */
  targetIp: string;
  servicePort: number;
  noTls: boolean;
  dns01: Dns01Flags;
}

/** The exposure of a service: everything that `plat expose` prints or does. Spec: Client, Exposure plan. */
export interface ExposurePlan extends RecordPlan {
  service: string;
  backendService: string;
  hostname: string;
  url: string;
  targetIp: string;
  servicePort: number;
  scheme: 'http' | 'https';
  ingressName: string;
  ingressClassName: string;
  /** Name of the certificate's secret; undefined without TLS. */
  tlsSecretName?: string | undefined;
  tls: TlsDecision;
  /** Arguments of kubectl that apply an object of the environment's cluster. */
  apply: KubectlStep;
  /** Undefined if expose provisions no certificate. */
  certificate?: CertificateManifests | undefined;
  ingress: Manifest;
}

/** The report of `plat expose`, in this order of fields. Rule H13. */
export interface ExposureResult extends EnvironmentName {
  service: string;
  backendService: string;
  namespace: string;
  hostname: string;
  servicesZone: string;
  wildcardName: string;
  targetIp: string;
  ingressName: string;
  servicePort: number;
  scheme: 'http' | 'https';
  ingressClassName: string;
  tlsSecretName?: string | undefined;
  tlsEnabled: boolean;
  tlsDisabledReason?: string | undefined;
  platformNamespace: string;
  dnsPath: RecordPlan['dnsPath'];
}

/** Returns why the service cannot be one of the tenant; undefined if it can. Its length is checked first. Rule H1. */
export function serviceFault(tenant: string, service: string): Fault | undefined {
  const fault = labelFault('service', service);
  if (fault !== undefined) return fault;
  const name = `${tenant}-${service}`;
  if (name.length <= LABEL_LENGTH_MAX) return undefined;
  const why = `have more than ${LABEL_LENGTH_MAX} characters together`;
  return { field: 'tenant and service', value: name, why };
}

/** Returns why the services zone has no room for the public name; undefined if it has. RFC 1035. */
export function hostnameFault(
  name: EnvironmentName,
  service: string,
  servicesZone: string,
): Fault | undefined {
  const hostname = hostnameOf(name, service, servicesZone);
  if (hostname.length <= HOSTNAME_LENGTH_MAX) return undefined;
  return {
    field: 'the public name',
    value: hostname,
    why: `has more than ${HOSTNAME_LENGTH_MAX} characters`,
  };
}

/** Determines everything that an exposure does, without doing it. Spec: Client, Exposure plan. */
export function planExposure(input: ExposureInput): ExposurePlan {
  const { name, service, platform, targetIp, servicePort, noTls, dns01 } = input;
  const record = planRecord(input);
  const { namespace, wildcardName, servicesZone } = record;
  const tls = decideTls({ noTls, dns01, isPlatform: namespaceOf(platform.name) === namespace });
  const { tlsEnabled } = tls;
  const names = { namespace, wildcardName, tlsSecretName: `${namespace}-wildcard-tls` };
  const hostname = hostnameOf(name, service, servicesZone);
  const scheme = tlsEnabled ? 'https' : 'http';
  const routing = {
    hostname,
    backendService: `${name.tenant}-${service}`,
    servicePort,
    ingressName: `expose-${service}`,
    ingressClassName: platform.ingressClassName,
  };
  return {
    ...record,
    ...routing,
    service,
    targetIp,
    scheme,
    url: `${scheme}://${hostname}`,
    tlsSecretName: tlsEnabled ? names.tlsSecretName : undefined,
    tls,
    apply: { context: input.kubernetesContext, namespace, args: APPLY },
    certificate: tlsEnabled && tls.dns01 ? certificateManifests(names, tls.dns01) : undefined,
    ingress: ingressManifest({ ...names, ...routing, tlsEnabled }),
  };
}

export function exposureResult(plan: ExposurePlan): ExposureResult {
  return {
    tenant: plan.tenant,
    environment: plan.environment,
    service: plan.service,
    backendService: plan.backendService,
    namespace: plan.namespace,
    hostname: plan.hostname,
    servicesZone: plan.servicesZone,
    wildcardName: plan.wildcardName,
    targetIp: plan.targetIp,
    ingressName: plan.ingressName,
    servicePort: plan.servicePort,
    scheme: plan.scheme,
    ingressClassName: plan.ingressClassName,
    tlsSecretName: plan.tlsSecretName,
    tlsEnabled: plan.tls.tlsEnabled,
    tlsDisabledReason: plan.tls.tlsEnabled ? undefined : plan.tls.tlsDisabledReason,
    platformNamespace: plan.platformNamespace,
    dnsPath: plan.dnsPath,
  };
}

function hostnameOf(name: EnvironmentName, service: string, servicesZone: string): string {
  return `${service}.${namespaceOf(name)}.${servicesZone}`;
}
