import {
  ENVIRONMENT_STATUSES,
  ENVIRONMENT_TYPES,
  type EnvironmentStatus,
  type EnvironmentType,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

const CONTEXT_LENGTH_MAX = 253;

/** An environment as every route answers it. Rule E3. */
export class Environment {
  @Field(rules.id, { description: 'Assigned by the service' })
  environmentId!: string;

  @Field(rules.id, { description: 'The tenant that the environment belongs to' })
  tenantId!: string;

  @Field(rules.label, { description: 'Unique in the tenant', example: 'dev' })
  name!: string;

  @Field(rules.label, {
    description: "Its Kubernetes namespace, <tenant>-<name>; left out for another tenant's",
    example: 'acme-dev',
    optional: true,
  })
  namespace?: string;

  @Field(rules.oneOf(ENVIRONMENT_TYPES), { description: 'How the environment runs' })
  type!: EnvironmentType;

  @Field(rules.oneOf(ENVIRONMENT_STATUSES), {
    description: 'deleting while the job is under way, deletion-blocked when it has given up',
  })
  status!: EnvironmentStatus;

  @Field(rules.text(CONTEXT_LENGTH_MAX), {
    description: 'The cluster that it runs in, as the deployment names it',
    optional: true,
  })
  kubernetesContext?: string;

  @Field(rules.filterText(253), {
    description: 'The wildcard name under which its services are public',
    example: '*.acme-dev.services.example',
    optional: true,
  })
  exposedHostname?: string;

  @Field(rules.filterText(1024), { description: 'Why the deletion is blocked', optional: true })
  deleteError?: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/environments. */
export class CreateEnvironment {
  @Field(rules.label, {
    description: "Unique in the tenant; with the tenant's name and a hyphen before it at most 63 characters",
    example: 'dev',
  })
  name!: string;

  @Field(rules.oneOf(ENVIRONMENT_TYPES), { description: 'How the environment runs' })
  type!: EnvironmentType;

  @Field(rules.text(CONTEXT_LENGTH_MAX), {
    description:
      'The cluster that it runs in, as the deployment names it, one of those that environments may name; its default one otherwise',
    optional: true,
  })
  kubernetesContext?: string;
}
