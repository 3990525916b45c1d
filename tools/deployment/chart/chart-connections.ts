import { SERVICES } from '@plat/contracts/core';
import type { ChartCase, Connection, NetworkEnd, NetworkPolicy, PolicyPod, Protocol } from '@plat/testing';
import { CASES, rendered, templateOf } from './plat-chart';

/** A connection under the policies of a golden case, and whether they let it through. */
export interface JudgedConnection extends Connection {
  shows: string;
  policies: NetworkPolicy[];
  allowed: boolean;
}

export const NAMESPACES = Object.fromEntries(
  ['plat', 'gateways', 'kube-system', 'observability', 'identity', 'cnpg-system', 'other'].map((name) => [
    name,
    {},
  ]),
);

const policiesOf = (name: ChartCase) => rendered(name, 'NetworkPolicy') as unknown as NetworkPolicy[];
const defaults = policiesOf('defaults');
const everything = policiesOf('everything');

/** A pod of a rendered Deployment or Job. */
function podOf(kind: string, name: string, address: string): PolicyPod {
  const found = rendered('defaults', kind).find(({ metadata }) => metadata.name === name);
  const { metadata, spec } = templateOf(found!);
  return { namespace: 'plat', labels: metadata.labels, address, ports: spec.containers[0].ports ?? [] };
}

const SERVICE_PODS = SERVICES.map(
  (name, place) => [name, podOf('Deployment', `plat-${name}`, `10.1.0.${place + 1}`)] as const,
);
const [[, reviews], , , , [, platform]] = SERVICE_PODS as [
  (typeof SERVICE_PODS)[number],
  unknown,
  unknown,
  unknown,
  (typeof SERVICE_PODS)[number],
];
const job = podOf('Job', 'plat-migrate', '10.1.0.20');
const testPod = rendered('defaults', 'Pod').map(({ metadata }): PolicyPod => ({
  namespace: 'plat',
  labels: metadata.labels,
  address: '10.1.0.21',
}))[0]!;
const other = (namespace: string, address: string, labels = {}): PolicyPod => ({
  namespace,
  labels,
  address,
});
const gateway = other('gateways', '10.1.1.1');
const nameServer = other('kube-system', '10.1.1.2');
const prometheus = other('observability', '10.1.1.3');
const stranger = other('other', '10.1.1.4');
const neighbour = other('plat', '10.1.1.5', { app: 'neighbour' });
const keycloak = other('identity', '10.1.1.6');
const operator = other('cnpg-system', '10.1.1.7');
const instance = other('plat', '10.1.1.8', { 'cnpg.io/cluster': 'plat-postgresql' });
const pooler = other('plat', '10.1.1.9', {
  'cnpg.io/cluster': 'plat-postgresql',
  'cnpg.io/poolerName': 'plat-postgresql-pooler',
});
const database: NetworkEnd = { address: '10.20.0.5' };
const issuer: NetworkEnd = { address: '198.18.7.9' };
const publicHost: NetworkEnd = { address: '140.82.121.4' };

/** "TCP 443", as in the chart. */
type Port = `${Protocol} ${number}`;
type Case = readonly [from: NetworkEnd, to: NetworkEnd, port: Port, allowed: boolean];

const group = (policies: NetworkPolicy[], cases: Record<string, Case>): JudgedConnection[] =>
  Object.entries(cases).map(([shows, [from, to, port, allowed]]) => {
    const [protocol, number] = port.split(' ') as [Protocol, string];
    return { shows, policies, from, to, port: Number(number), protocol, allowed };
  });

const OF_EACH_SERVICE = SERVICE_PODS.flatMap(([name, pod]) =>
  group(defaults, {
    [`${name} is reached by the gateway`]: [gateway, pod, 'TCP 8080', true],
    [`${name} is not reached by the gateway on another port`]: [gateway, pod, 'TCP 9229', false],
    [`${name} is reached by helm test`]: [testPod, pod, 'TCP 8080', true],
    [`${name} is not reached by another namespace`]: [stranger, pod, 'TCP 8080', false],
    [`${name} is not reached by a neighbour in its namespace`]: [neighbour, pod, 'TCP 8080', false],
    [`${name} is not reached by another service`]: [
      SERVICE_PODS.find(([each]) => each !== name)![1],
      pod,
      'TCP 8080',
      false,
    ],
    [`${name} is not reached from outside`]: [publicHost, pod, 'TCP 8080', false],
    [`${name} reaches the database`]: [pod, database, 'TCP 5432', true],
    [`${name} reaches no other port of the database`]: [pod, database, 'TCP 22', false],
    [`${name} reaches no other host on the database's port`]: [
      pod,
      { address: '10.20.0.6' },
      'TCP 5432',
      false,
    ],
    [`${name} asks for names over UDP`]: [pod, nameServer, 'UDP 53', true],
    [`${name} asks for names over TCP`]: [pod, nameServer, 'TCP 53', true],
    [`${name} asks no public name server`]: [pod, { address: '9.9.9.9' }, 'UDP 53', false],
    [`${name} fetches the keys of an issuer`]: [pod, issuer, 'TCP 443', true],
    [`${name} does not call another service`]: [
      pod,
      SERVICE_PODS.find(([each]) => each !== name)![1],
      'TCP 8080',
      false,
    ],
    [`${name} does not reach another namespace`]: [pod, stranger, 'TCP 443', false],
    [`${name} does not reach the API of the cluster`]: [pod, { address: '10.96.0.1' }, 'TCP 443', false],
    [`${name} reads no metadata of the cloud`]: [pod, { address: '169.254.169.254' }, 'TCP 443', false],
    [`${name} ${name === 'reviews' ? 'leaves' : 'does not leave'} the cluster on 443`]: [
      pod,
      publicHost,
      'TCP 443',
      name === 'reviews',
    ],
    [`${name} does not leave the cluster on 80`]: [pod, publicHost, 'TCP 80', false],
    [`${name} does not leave the cluster over UDP`]: [pod, publicHost, 'UDP 443', false],
  }),
);

const OTHERS = [
  ...group(defaults, {
    'the database job reaches the database': [job, database, 'TCP 5432', true],
    'the database job asks for names': [job, nameServer, 'UDP 53', true],
    'the database job reaches no issuer': [job, issuer, 'TCP 443', false],
    'the database job does not leave the cluster': [job, publicHost, 'TCP 443', false],
    'the database job answers no one': [gateway, job, 'TCP 8080', false],
    'helm test reaches no database': [testPod, database, 'TCP 5432', false],
    'helm test does not leave the cluster': [testPod, publicHost, 'TCP 443', false],
    'Prometheus reads nothing unless the values name it': [prometheus, reviews, 'TCP 8080', false],
    'reviews reaches a public host by IPv6': [reviews, { address: '2606:4700::6810:84e5' }, 'TCP 443', true],
    'platform reaches none by IPv6': [platform, { address: '2606:4700::6810:84e5' }, 'TCP 443', false],
    'a neighbour in the namespace is not governed': [stranger, neighbour, 'TCP 80', true],
  }),
  ...group(everything, {
    'Prometheus reads figures if the values name it': [prometheus, reviews, 'TCP 8080', true],
    'the database has another port': [reviews, database, 'TCP 6432', true],
    'and not the usual one then': [reviews, database, 'TCP 5432', false],
    'an issuer in the cluster is reached on its port': [reviews, keycloak, 'TCP 8443', true],
    'traces go to the collector': [reviews, prometheus, 'TCP 4318', true],
    'platform reaches the API of clusters': [platform, { address: '10.20.0.9' }, 'TCP 6443', true],
    'reviews does not reach the API of clusters': [reviews, { address: '10.20.0.9' }, 'TCP 6443', false],
    'platform updates names over UDP': [platform, { address: '10.20.0.53' }, 'UDP 53', true],
    'platform updates names over TCP': [platform, { address: '10.20.0.53' }, 'TCP 53', true],
    'reviews updates no names': [reviews, { address: '10.20.0.53' }, 'UDP 53', false],
    'names are asked where the values say': [reviews, { address: '169.254.20.10' }, 'UDP 53', true],
  }),
  ...(CASES.includes('cloudnativepg') ? ofItsOwnDatabase() : []),
];

/** The connections of the chart with a database of its own, which helm renders. */
function ofItsOwnDatabase(): JudgedConnection[] {
  return group(policiesOf('cloudnativepg'), {
    "the chart's database is reached by a service": [reviews, instance, 'TCP 5432', true],
    'and by the database job': [job, instance, 'TCP 5432', true],
    'the pooler is reached by a service': [reviews, pooler, 'TCP 5432', true],
    'the pooler reaches the database': [pooler, instance, 'TCP 5432', true],
    'the operator asks the database for its state': [operator, instance, 'TCP 8000', true],
    'the database is not reached by a neighbour': [neighbour, instance, 'TCP 5432', false],
    'nor by another namespace': [stranger, instance, 'TCP 5432', false],
    'nor the pooler': [stranger, pooler, 'TCP 5432', false],
    'nor by the gateway': [gateway, instance, 'TCP 5432', false],
  });
}

export const CONNECTIONS = [...OF_EACH_SERVICE, ...OTHERS];

/** Returns the connection of the reviews service to an address. */
export const toRepository = (address: string): Connection => ({ from: reviews, to: { address }, port: 443 });
export const DEFAULT_POLICIES = defaults;
