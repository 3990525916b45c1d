import { auditService } from '@plat/audit';
import { buildsService } from '@plat/builds';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { platformService } from '@plat/platform';
import { releasesService } from '@plat/releases';
import { reviewsService } from '@plat/reviews';
import { fileVariables, variablesOf } from '@plat/service';
import { flag, type JsonSchema, mapping, ref, whole } from './json-schema';

/** The configurations of the services. */
export const SERVICE_CONFIGS: Record<ServiceName, new () => object> = {
  reviews: reviewsService.config,
  builds: buildsService.config,
  releases: releasesService.config,
  audit: auditService.config,
  platform: platformService.config,
};

/** Variables that the chart itself sets, and those that are for one machine only. */
const NOT_FOR_VALUES = [
  'PORT',
  'VERSION',
  'ALLOW_HTTP_ISSUERS',
  'VERIFIER_ALLOW_LOCAL',
  'VERIFIER_WORKER_FILE',
];
/** Files that are no secrets: the chart takes them from ConfigMaps. */
const AUTHORITIES = ['DATABASE_CA', 'REPOSITORY_CA'];
/** A secret that the service reads from a path itself. Its other value is no secret. */
const KUBECONFIG = 'CLUSTER_KUBECONFIG';

const REPLICAS_MAX = 100;

/** The variables of a service that are secrets, mounted as files. */
export function secretVariables(service: ServiceName): string[] {
  const shape = SERVICE_CONFIGS[service];
  const files = fileVariables(shape).filter((name) => !AUTHORITIES.includes(name));
  return variablesOf(shape).includes(KUBECONFIG) ? [...files, KUBECONFIG] : files;
}

/** The variables of a service that the values may set. */
export function plainVariables(service: ServiceName): string[] {
  const shape = SERVICE_CONFIGS[service];
  const others = [...fileVariables(shape), ...NOT_FOR_VALUES, KUBECONFIG];
  return variablesOf(shape).filter((name) => !others.includes(name) && !name.endsWith('_FILE'));
}

/** Returns the schema of the services' values. */
export const serviceValues = (): JsonSchema =>
  mapping(Object.fromEntries(SERVICES.map((name) => [name, valuesOf(name)])), 'The five services');

function valuesOf(service: ServiceName): JsonSchema {
  return mapping({
    replicas: whole(1, REPLICAS_MAX, 'Pods, unless autoscaling is enabled'),
    autoscaling: mapping(
      {
        enabled: flag('Whether there is a HorizontalPodAutoscaler; it needs a metrics server'),
        minReplicas: whole(1, REPLICAS_MAX, 'Fewest pods'),
        maxReplicas: whole(1, REPLICAS_MAX, 'Most pods'),
        cpuUtilization: whole(1, 100, 'Percent of the requested processor time that is aimed at'),
      },
      'More and fewer pods by their processor time',
    ),
    resources: ref('resources', 'Requests and limits of the container'),
    secret: ref('optionalName', `An existing Secret; empty: plat-${service}`),
    secretKeys: {
      type: 'array',
      uniqueItems: true,
      items: { enum: secretVariables(service) },
      description: 'Keys of the Secret, each a variable of the service, which are mounted as files',
    },
    variables: variablesSchema(service),
  });
}

/** A number with seven digits would get an exponent. */
const VALUE = { type: ['string', 'boolean', 'integer'], maximum: 999_999 };

function variablesSchema(service: ServiceName): JsonSchema {
  const plain = plainVariables(service).map((name) => [name, VALUE] as const);
  const kubeconfig = secretVariables(service).includes(KUBECONFIG)
    ? { [KUBECONFIG]: { const: 'in-cluster', description: 'A kubeconfig file is a secret key instead' } }
    : {};
  return {
    type: 'object',
    description: 'Variables of the service that are no secrets, and those of OpenTelemetry',
    additionalProperties: false,
    properties: { ...Object.fromEntries(plain), ...kubeconfig },
    patternProperties: { '^OTEL_[A-Z0-9_]+$': VALUE },
  };
}
