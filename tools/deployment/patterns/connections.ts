import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '@plat/local';
import type { Connection, NetworkPolicy, PolicyPod } from '@plat/testing';
import { field, type Manifest, manifestsOf, readPattern } from './pattern';

/** A connection under some policies, and whether they let it through. */
export interface JudgedConnection extends Connection {
  /** The point that it shows, in words; beginning with the rule's own. */
  shows: string;
  policies: NetworkPolicy[];
  /** Labels of namespaces, besides their names. */
  labels?: Record<string, Record<string, string>>;
  allowed: boolean;
}

/** Namespaces of the connections: two environments, one of which shares nothing, and two of the cluster's own. */
export const NAMESPACES = ['acme-dev', 'acme-test', 'kube-system', 'traefik'] as const;

const pod = (namespace: (typeof NAMESPACES)[number], app: string, address: string): PolicyPod => ({
  namespace,
  labels: { app },
  address,
  ports: [{ name: 'http', containerPort: 8080 }],
});
const web = pod('acme-dev', 'web', '10.1.0.1');
const job = pod('acme-dev', 'job', '10.1.0.2');
const consumer = pod('acme-test', 'consumer', '10.1.0.3');
/** Its pod has the same label as the target's. */
const namesake = pod('acme-test', 'web', '10.1.0.4');
const controller = pod('traefik', 'traefik', '10.1.0.5');
const nameServer = pod('kube-system', 'kube-dns', '10.1.0.6');
/** A pod that says of itself what only a namespace's label may say. */
const pretender: PolicyPod = { ...consumer, labels: { 'allow-shared-web': 'true' }, address: '10.1.0.7' };
const visitor = { address: '203.0.113.9' };

const inDev = (object: Manifest): NetworkPolicy =>
  ({ ...object, metadata: { ...object.metadata, namespace: 'acme-dev' } }) as unknown as NetworkPolicy;
const policiesOf = (file: string): NetworkPolicy[] => manifestsOf(readPattern(file)).map(inDev);
const denied = policiesOf('default-deny-cross-ns.yaml');
const shared = policiesOf('allow-shared-service.yaml');
const restricted = policiesOf('restrict-egress.yaml');

/** The objects that helm renders from the runtime chart: a peers' test of the chart proves the golden file right. */
const rendered = parseAllDocuments(
  readFileSync(join(workspaceRoot(), 'deploy/charts/golden/remote-agent.yaml'), 'utf8'),
).map((document) => document.toJS() as Manifest);
export const CHART_POLICIES = rendered.filter(({ kind }) => kind === 'NetworkPolicy').map(inDev);
const deployment = rendered.find(({ kind }) => kind === 'Deployment');
const template = ['spec', 'template'];
const declared = field(deployment, ...template, 'spec', 'containers', 0, 'ports') as NonNullable<
  PolicyPod['ports']
>;
/** The runtime pod, with the port of metrics, which another container than the chart's own declares. */
const runtime: PolicyPod = {
  namespace: 'acme-dev',
  labels: field(deployment, ...template, 'metadata', 'labels') as Record<string, string>,
  address: '10.1.0.8',
  ports: [...declared, { name: 'metrics', containerPort: 9090 }],
};
const portNamed = (name: string): number => runtime.ports!.find((port) => port.name === name)!.containerPort;

type Case = Omit<JudgedConnection, 'shows' | 'policies'>;
const group = (shows: string, policies: NetworkPolicy[], cases: Record<string, Case>): JudgedConnection[] =>
  Object.entries(cases).map(([which, each]) => ({ shows: `${shows}: ${which}`, policies, ...each }));

const label = { 'allow-shared-web': 'true' };

const CROSS_NAMESPACE: JudgedConnection[] = [
  ...group('default-deny-cross-ns permits only same-namespace pods', denied, {
    'a pod of the namespace gets in': { from: job, to: web, port: 8080, allowed: true },
    'on every port': { from: job, to: web, port: 9999, protocol: 'UDP', allowed: true },
    'a pod of another namespace does not': { from: consumer, to: web, port: 8080, allowed: false },
    'nor one with the same label': { from: namesake, to: web, port: 8080, allowed: false },
    'nor the ingress controller': { from: controller, to: web, port: 8080, allowed: false },
    'nor an address outside': { from: visitor, to: web, port: 8080, allowed: false },
    'what the namespace sends is not governed': { from: web, to: consumer, port: 8080, allowed: true },
    'nor is another namespace': { from: visitor, to: namesake, port: 8080, allowed: true },
  }),
  ...group('Application pods are ungoverned until the manifest is applied', CHART_POLICIES, {
    'another namespace gets in': { from: consumer, to: web, port: 8080, allowed: true },
    'and so does an address outside': { from: visitor, to: job, port: 8080, allowed: true },
  }),
];

const RUNTIME: JudgedConnection[] = [
  ...group('The runtime chart ships a different policy that selects only the runtime pod', CHART_POLICIES, {
    'no other port of it': { from: consumer, to: runtime, port: 4000, allowed: false },
    'not even from its namespace': { from: job, to: runtime, port: 4000, allowed: false },
    'other pods are not selected': { from: consumer, to: web, port: 4000, allowed: true },
    'it sends what it likes': { from: runtime, to: visitor, port: 22, allowed: true },
  }),
  ...['ssh', 'metrics'].flatMap((name) =>
    group(`and re-permits the ${name} port under default-deny-cross-ns`, [...denied, ...CHART_POLICIES], {
      'from another namespace': { from: consumer, to: runtime, port: portNamed(name), allowed: true },
      'from outside': { from: visitor, to: runtime, port: portNamed(name), allowed: true },
      'but not over UDP': {
        from: consumer,
        to: runtime,
        port: portNamed(name),
        protocol: 'UDP',
        allowed: false,
      },
      'and of no other pod': { from: consumer, to: web, port: portNamed(name), allowed: false },
    }),
  ),
  ...group('and the mcp port to its own namespace alone', CHART_POLICIES, {
    'from a pod of the namespace': { from: job, to: runtime, port: portNamed('mcp'), allowed: true },
    'not from another namespace': { from: consumer, to: runtime, port: portNamed('mcp'), allowed: false },
    'not from a pod with the same label': {
      from: namesake,
      to: runtime,
      port: portNamed('mcp'),
      allowed: false,
    },
    'not from the ingress controller': {
      from: controller,
      to: runtime,
      port: portNamed('mcp'),
      allowed: false,
    },
    'not from outside': { from: visitor, to: runtime, port: portNamed('mcp'), allowed: false },
  }),
  ...group('default-deny-cross-ns closes these without the chart', denied, {
    'mcp from another namespace': { from: consumer, to: runtime, port: portNamed('mcp'), allowed: false },
  }),
];

const open = { 'acme-test': label };
const SHARED: JudgedConnection[] = [
  ...group(
    'allow-shared-<service> admits namespaces labelled allow-shared-<service>=true',
    [...denied, ...shared],
    {
      'a labelled one gets in': { from: consumer, to: web, port: 8080, labels: open, allowed: true },
      'one without the label does not': { from: consumer, to: web, port: 8080, allowed: false },
      'nor one with another value': {
        from: consumer,
        to: web,
        port: 8080,
        labels: { 'acme-test': { 'allow-shared-web': 'yes' } },
        allowed: false,
      },
      'pods of the namespace still get in': { from: job, to: web, port: 8080, allowed: true },
    },
  ),
  ...group(
    'allow-shared-<service> selects pods labelled app=<service> in the target namespace',
    [...denied, ...shared],
    {
      'another service stays closed': { from: consumer, to: job, port: 8080, labels: open, allowed: false },
      "a consumer's pod of the same label is no target": {
        from: visitor,
        to: namesake,
        port: 8080,
        allowed: true,
      },
    },
  ),
  ...group('The label is applied by hand per consumer namespace', [...denied, ...shared], {
    'on one, it opens no other': { from: controller, to: web, port: 8080, labels: open, allowed: false },
    'on the ingress controller, what is exposed answers': {
      from: controller,
      to: web,
      port: 8080,
      labels: { traefik: label },
      allowed: true,
    },
    'on a pod, it opens nothing': { from: pretender, to: web, port: 8080, allowed: false },
    'on the target, it opens nothing': {
      from: consumer,
      to: web,
      port: 8080,
      labels: { 'acme-dev': label },
      allowed: false,
    },
  }),
  ...group('allow-shared-<service> alone closes the service to all others', shared, {
    'also to its own namespace': { from: job, to: web, port: 8080, allowed: false },
  }),
];

const to = (address: string, port: number, allowed: boolean): Case => ({
  from: web,
  to: { address },
  port,
  allowed,
});
const EGRESS: JudgedConnection[] = [
  ...group('Egress is unrestricted by default', [...denied, ...shared, ...CHART_POLICIES], {
    'to a public address': to('203.0.113.9', 25, true),
    "to the cloud's metadata": to('169.254.169.254', 80, true),
  }),
  ...group('restrict-egress limits it to DNS over UDP 53 to the system namespace', restricted, {
    'the name server over UDP': { from: web, to: nameServer, port: 53, protocol: 'UDP', allowed: true },
    'not over TCP': { from: web, to: nameServer, port: 53, allowed: false },
    'no other port': { from: web, to: nameServer, port: 54, protocol: 'UDP', allowed: false },
    'no other namespace': { from: web, to: controller, port: 53, protocol: 'UDP', allowed: false },
    'no public name server': { from: web, to: visitor, port: 53, protocol: 'UDP', allowed: false },
  }),
  ...group('and TCP 443 to 0.0.0.0/0 except 169.254.0.0/16 and 10.0.0.0/8', restricted, {
    'a public address': to('203.0.113.9', 443, true),
    'not on another port': to('203.0.113.9', 80, false),
    'not over UDP': { ...to('203.0.113.9', 443, false), protocol: 'UDP' },
    "not the cloud's metadata": to('169.254.169.254', 443, false),
    'the first of 169.254.0.0/16': to('169.254.0.0', 443, false),
    'the last of 169.254.0.0/16': to('169.254.255.255', 443, false),
    'the one before': to('169.253.255.255', 443, true),
    'the one after': to('169.255.0.0', 443, true),
    'the first of 10.0.0.0/8': to('10.0.0.0', 443, false),
    'the last of 10.0.0.0/8': to('10.255.255.255', 443, false),
    'the one before it': to('9.255.255.255', 443, true),
    'the one after it': to('11.0.0.0', 443, true),
    'no pod, by its address in 10.0.0.0/8': { from: web, to: consumer, port: 443, allowed: false },
    "not even one of the namespace's own": { from: web, to: job, port: 443, allowed: false },
  }),
  ...group('restrict-egress costs a runtime pod', restricted, {
    "the Kubernetes API's address": { ...to('10.96.0.1', 443, false), from: runtime },
    'git over SSH': { ...to('203.0.113.9', 22, false), from: runtime },
  }),
  ...group('restrict-egress governs what is sent, and no ingress', restricted, {
    'another namespace gets in': { from: consumer, to: web, port: 8080, allowed: true },
  }),
];

/** The rules of the contract, as connections. Spec: Client, Network policy patterns, rules 1 to 3. */
export const CONNECTIONS = [...CROSS_NAMESPACE, ...RUNTIME, ...SHARED, ...EGRESS];
