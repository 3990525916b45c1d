import { SERVICES } from '@plat/contracts/core';
import { BACKUP_ROLE, LOGIN_ROLES } from '@plat/database';
import { DEFINITIONS, flag, type JsonSchema, list, mapping, ref, text, texts, whole } from './json-schema';
import { serviceValues } from './service-values';

const PORT_MAX = 65_535;

/** `values.schema.json` of the chart of the services. It is strict. Draft 7, which every helm reads. */
export function renderPlatValuesSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the plat chart',
    description: 'Written by `npm run generate` from `tools/generate/plat-chart`; edit it there.',
    definitions: DEFINITIONS,
    ...mapping({
      image: IMAGE,
      pods: PODS,
      services: serviceValues(),
      database: DATABASE,
      certificateAuthorities: AUTHORITIES,
      routes: ROUTES,
      networkPolicy: NETWORK_POLICY,
      monitoring: MONITORING,
      postgresql: POSTGRESQL,
      global: { type: 'object', description: 'Of charts that have this one as a part; not read' },
    }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const TOLERATION = mapping({
  key: { type: 'string' },
  operator: { enum: ['Exists', 'Equal'] },
  value: { type: 'string' },
  effect: { enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
  tolerationSeconds: { type: 'integer' },
});
const DIGEST = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' };
const IMAGE = mapping(
  {
    registry: text('Images are <registry>/plat-<service> and <registry>/plat-db'),
    tag: text("Empty: the chart's appVersion"),
    digests: mapping(
      Object.fromEntries([...SERVICES, 'db'].map((name) => [name, DIGEST])),
      'In place of the tag',
    ),
    pullSecrets: list(ref('name'), "Secrets with the sign-in at the images' registry"),
  },
  'Images of the services and of the database job',
);

const PODS = mapping(
  {
    annotations: texts("Of the services' pods"),
    nodeSelector: texts('Labels of the nodes that may run them'),
    tolerations: list(TOLERATION, 'Taints of nodes that they bear'),
    priorityClassName: ref('optionalName', 'An existing class; empty: none'),
  },
  'Of all pods',
);

const OWNER_KEYS = [
  'DATABASE_URL',
  ...[...Object.values(LOGIN_ROLES), BACKUP_ROLE].map((role) => `${role.toUpperCase()}_PASSWORD`),
];

const DATABASE = mapping(
  {
    secret: ref('optionalName', 'An existing Secret; empty: plat-db'),
    secretKeys: {
      type: 'array',
      uniqueItems: true,
      items: { enum: OWNER_KEYS },
      description: "Keys of the Secret: the owner's address, and passwords of logins",
    },
    directory: mapping(
      {
        configMap: ref('optionalName', 'An existing ConfigMap; empty: no directory file is applied'),
        key: text('Its key'),
      },
      'The file of tenants, issuers, roles and first users',
    ),
    deadlineSeconds: whole(1, 86_400, 'Seconds after which a job of the database has failed'),
    resources: ref('resources', 'Requests and limits of the containers'),
  },
  'The job before each rollout: migrations, directory, passwords of the logins',
);

const bundle = (description: string): JsonSchema =>
  mapping(
    { configMap: ref('optionalName', 'An existing ConfigMap; empty: none'), key: text('Its key') },
    description,
  );
const AUTHORITIES = mapping(
  {
    database: bundle("Of the database's certificate, which is then verified"),
    repositories: bundle('Of git servers, besides the public ones'),
    issuers: bundle('Of identity providers, besides the public ones'),
  },
  'Authorities of certificates (PEM)',
);

const ROUTES = mapping(
  {
    kind: { enum: ['gateway', 'ingress', 'none'], description: 'How requests come in' },
    hostname: text('The host under which plat is reached'),
    gateway: mapping(
      {
        name: text('Name of the Gateway'),
        namespace: text('Its namespace; empty: that of the release'),
        sectionName: text('Its listener; empty: every one that fits'),
      },
      'The Gateway of the HTTPRoute; it must take regular expressions as paths',
    ),
    ingress: mapping(
      {
        className: text("Empty: the cluster's default class"),
        tlsSecret: text('Secret with the certificate; empty: TLS ends elsewhere'),
        annotations: texts('Of both Ingresses'),
        patternAnnotations: texts('Of the Ingress whose paths are regular expressions'),
      },
      'Ingresses, in place of an HTTPRoute',
    ),
  },
  'How requests come in',
);

const destination = (description: string): JsonSchema =>
  mapping({ to: ref('peers', 'Peers'), port: whole(1, PORT_MAX, 'Their port') }, description);
const NETWORK_POLICY = mapping(
  {
    enabled: flag('Whether there are NetworkPolicies'),
    edge: ref('peers', 'Who may send requests'),
    monitoring: ref('peers', 'Who may read /metrics besides'),
    dns: destination('Name servers, over UDP and TCP'),
    database: destination('The database'),
    issuers: destination('Identity providers'),
    collector: destination('A collector of traces'),
    repositories: destination('For the reviews service: git servers of your own'),
    clusters: destination('For the platform service: the API of clusters'),
    nameServer: destination('For the platform service: takes updates of the zone'),
  },
  'What is let through; everything else is denied',
);

const LABELS = texts('More labels of the objects');
const MONITORING = mapping(
  {
    serviceMonitors: mapping(
      {
        enabled: flag('Whether there are ServiceMonitors'),
        interval: { type: 'string', pattern: '^[0-9]+(ms|s|m)$', description: 'Between two readings' },
        labels: LABELS,
      },
      'For the Prometheus operator',
    ),
    rules: mapping({ enabled: flag('Whether there is a PrometheusRule'), labels: LABELS }, 'The alarms'),
    dashboard: mapping(
      { enabled: flag('Whether there is a ConfigMap'), labels: LABELS },
      'The dashboard for Grafana',
    ),
  },
  'What watches plat',
);

const INSTANCES_MAX = 20;
const POSTGRESQL = mapping(
  {
    enabled: flag('Whether there is a Cluster'),
    instances: whole(1, INSTANCES_MAX, 'The primary and its replicas'),
    imageName: text("Empty: the operator's default"),
    storage: mapping(
      { size: ref('quantity', 'Of each instance'), className: text("Empty: the cluster's default class") },
      'Volumes',
    ),
    synchronousReplicas: whole(0, INSTANCES_MAX - 1, 'Replicas that have a commit before it is acknowledged'),
    parameters: texts('Of PostgreSQL'),
    resources: ref('resources', 'Of each instance'),
    operator: ref('peers', "The operator's pods"),
    pooler: mapping(
      {
        enabled: flag('Whether there is a Pooler'),
        instances: whole(1, INSTANCES_MAX, 'Pods of PgBouncer'),
        poolSize: whole(1, 1_000, 'Connections to the database by each pod for each login'),
        clientsMax: whole(1, 100_000, 'Connections that each pod takes'),
      },
      'PgBouncer in transaction mode',
    ),
  },
  'A PostgreSQL cluster by CloudNativePG',
);
