import { AUDIT_TYPES, type AuditType } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** One authorized request. Spec: API, Audit event. The serialized arguments have no field here, on purpose. */
export class AuditEvent {
  @Field(rules.id, { description: 'A UUIDv7' })
  auditEventId!: string;

  @Field(rules.id, { description: 'The tenant that the event belongs to' })
  tenantId!: string;

  @Field(rules.id, { description: 'The platform user, not the subject of the identity provider' })
  erunUserId!: string;

  @Field(rules.filterText(255), { description: 'The subject that the identity provider presented' })
  externalUserId!: string;

  @Field(rules.filterText(2048), { description: 'The OIDC issuer' })
  externalIssuerId!: string;

  @Field(rules.filterText(255), { description: 'The organisation; for a shared issuer only', optional: true })
  externalOrgId?: string;

  @Field(rules.oneOf(AUDIT_TYPES), { description: 'How the request was driven' })
  type!: AuditType;

  @Field(rules.filterText(16), {
    description: 'HTTP method; present with type API',
    optional: true,
    example: 'POST',
  })
  apiMethod?: string;

  @Field(rules.filterText(255), {
    description: 'Route template; present with type API',
    optional: true,
    example: '/v1/reviews/{review_id}',
  })
  apiPath?: string;

  @Field(rules.filterText(64), {
    description: 'Name of the tool; present with type MCP',
    optional: true,
    example: 'review_requeue',
  })
  mcpTool?: string;

  @Field(rules.filterText(255), { description: 'Reserved', optional: true })
  cliCommand?: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;
}

/** A page of the trail, newest first. */
export class AuditEventPage {
  @Field(rules.listOfShape(AuditEvent), { description: 'Newest first' })
  events!: AuditEvent[];

  @Field(rules.filterText(128), { description: 'Absent on the last page', optional: true })
  nextCursor?: string;
}

/** Query of GET /v1/audit-events. */
export class AuditEventQuery {
  @Field(rules.instant, { description: 'Earliest createdAt, inclusive', optional: true })
  since?: string;

  @Field(rules.instant, { description: 'Latest createdAt, inclusive', optional: true })
  until?: string;

  @Field(rules.id, { description: 'The platform user', optional: true })
  erunUserId?: string;

  @Field(rules.oneOf(AUDIT_TYPES), { description: 'How the request was driven', optional: true })
  type?: AuditType;

  @Field(rules.filterText(16), { description: 'HTTP method', optional: true })
  apiMethod?: string;

  @Field(rules.filterText(255), { description: 'Route template', optional: true })
  apiPath?: string;

  @Field(rules.cursor, { description: 'nextCursor of the page before', optional: true })
  cursor?: string;

  @Field(rules.integerText, { description: 'Rows a page: 50 unless given, 200 at most', optional: true })
  limit?: string;
}
