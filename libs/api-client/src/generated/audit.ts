// Written by `npm run generate` from the OpenAPI document of the service; nobody edits it.
import { type ApiClient } from '../api-client';
import type { components, operations } from './audit.schema';

export type AuditEventPage = components['schemas']['AuditEventPage'];

export type AuditEventQuery = NonNullable<operations['listAuditEvents']['parameters']['query']>;

export type AuditLogCheckpoint = components['schemas']['AuditLogCheckpoint'];

export type AuditLogConsistencyProof = components['schemas']['AuditLogConsistencyProof'];

export type AuditLogConsistencyProofQuery = NonNullable<
  operations['getAuditLogConsistencyProof']['parameters']['query']
>;

export type AuditLogEntryPage = components['schemas']['AuditLogEntryPage'];

export type AuditLogEntryQuery = NonNullable<operations['listAuditLogEntries']['parameters']['query']>;

export type AuditLogInclusionProof = components['schemas']['AuditLogInclusionProof'];

export type AuditLogInclusionProofQuery = NonNullable<
  operations['getAuditLogInclusionProof']['parameters']['query']
>;

export type AuditLogKeySet = components['schemas']['AuditLogKeySet'];

export type AuditLogTile = components['schemas']['AuditLogTile'];

export type AuditLogTileQuery = NonNullable<operations['getAuditLogTile']['parameters']['query']>;

const AUDIT_EVENT_ANSWER = {
  auditEventId: 'id',
  tenantId: 'id',
  erunUserId: 'id',
  externalUserId: 'string',
  externalIssuerId: 'string',
  externalOrgId: 'string?',
  type: 'string',
  apiMethod: 'string?',
  apiPath: 'string?',
  mcpTool: 'string?',
  cliCommand: 'string?',
  createdAt: 'time',
} as const;

const AUDIT_EVENT_PAGE_ANSWER = { events: { listOf: AUDIT_EVENT_ANSWER }, nextCursor: 'string?' } as const;

const AUDIT_LOG_CHECKPOINT_ANSWER = {
  origin: 'string',
  size: 'integer',
  rootHash: 'string',
  checkpoint: 'string',
  sealedAt: 'time',
} as const;

const AUDIT_LOG_KEY_ANSWER = { verifierKey: 'string', publicKey: 'string', signs: 'boolean' } as const;

const AUDIT_LOG_KEY_SET_ANSWER = { origin: 'string', keys: { listOf: AUDIT_LOG_KEY_ANSWER } } as const;

const AUDIT_LOG_ENTRY_ANSWER = {
  index: 'integer',
  leaf: 'string',
  salt: 'string?',
  fields: 'string?',
} as const;

const AUDIT_LOG_ENTRY_PAGE_ANSWER = {
  entries: { listOf: AUDIT_LOG_ENTRY_ANSWER },
  nextFrom: 'integer?',
} as const;

const AUDIT_LOG_TILE_ANSWER = { hashes: 'string' } as const;

const AUDIT_LOG_INCLUSION_PROOF_ANSWER = {
  index: 'integer',
  leaf: 'string',
  salt: 'string?',
  fields: 'string?',
  size: 'integer',
  hashes: { listOf: 'string' },
  checkpoint: 'string?',
} as const;

const AUDIT_LOG_CONSISTENCY_PROOF_ANSWER = {
  from: 'integer',
  to: 'integer',
  hashes: { listOf: 'string' },
} as const;

/** The answers of the routes when they succeed. */
export const AUDIT_ANSWERS = {
  'GET /v1/audit-events': { statuses: [200], body: { one: AUDIT_EVENT_PAGE_ANSWER } },
  'GET /v1/audit-log/checkpoint': { statuses: [200], body: { one: AUDIT_LOG_CHECKPOINT_ANSWER } },
  'GET /v1/audit-log/keys': { statuses: [200], body: { one: AUDIT_LOG_KEY_SET_ANSWER } },
  'GET /v1/audit-log/entries': { statuses: [200], body: { one: AUDIT_LOG_ENTRY_PAGE_ANSWER } },
  'GET /v1/audit-log/tile': { statuses: [200], body: { one: AUDIT_LOG_TILE_ANSWER } },
  'GET /v1/audit-log/inclusion-proof': { statuses: [200], body: { one: AUDIT_LOG_INCLUSION_PROOF_ANSWER } },
  'GET /v1/audit-log/consistency-proof': {
    statuses: [200],
    body: { one: AUDIT_LOG_CONSISTENCY_PROOF_ANSWER },
  },
} as const;

/**
 * Page through the audit trail, newest first. `GET /v1/audit-events`
 *
 * @throws ApiFault INVALID_QUERY
 */
export function listAuditEvents(
  api: ApiClient,
  input: { query?: AuditEventQuery } = {},
): Promise<AuditEventPage> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-events',
    query: input.query,
    expected: AUDIT_ANSWERS['GET /v1/audit-events'],
  });
}

/**
 * Show the signed state of the tenant's sealed log. `GET /v1/audit-log/checkpoint`
 *
 * @throws ApiFault NOT_IMPLEMENTED, NOT_FOUND
 */
export function getAuditLogCheckpoint(api: ApiClient): Promise<AuditLogCheckpoint> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-log/checkpoint',
    expected: AUDIT_ANSWERS['GET /v1/audit-log/checkpoint'],
  });
}

/**
 * List the public keys of the tenant's sealed log. `GET /v1/audit-log/keys`
 *
 * @throws ApiFault NOT_IMPLEMENTED, NOT_FOUND
 */
export function listAuditLogKeys(api: ApiClient): Promise<AuditLogKeySet> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-log/keys',
    expected: AUDIT_ANSWERS['GET /v1/audit-log/keys'],
  });
}

/**
 * Page through the sealed log, oldest entry first. `GET /v1/audit-log/entries`
 *
 * @throws ApiFault INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND
 */
export function listAuditLogEntries(
  api: ApiClient,
  input: { query?: AuditLogEntryQuery } = {},
): Promise<AuditLogEntryPage> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-log/entries',
    query: input.query,
    expected: AUDIT_ANSWERS['GET /v1/audit-log/entries'],
  });
}

/**
 * Show the hashes of one tile of the sealed log. `GET /v1/audit-log/tile`
 *
 * @throws ApiFault INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND
 */
export function getAuditLogTile(
  api: ApiClient,
  input: { query?: AuditLogTileQuery } = {},
): Promise<AuditLogTile> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-log/tile',
    query: input.query,
    expected: AUDIT_ANSWERS['GET /v1/audit-log/tile'],
  });
}

/**
 * Prove that a row of the trail, or a landing, is in the sealed log. `GET /v1/audit-log/inclusion-proof`
 *
 * @throws ApiFault INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND
 */
export function getAuditLogInclusionProof(
  api: ApiClient,
  input: { query?: AuditLogInclusionProofQuery } = {},
): Promise<AuditLogInclusionProof> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-log/inclusion-proof',
    query: input.query,
    expected: AUDIT_ANSWERS['GET /v1/audit-log/inclusion-proof'],
  });
}

/**
 * Prove that the sealed log has only grown between two sizes. `GET /v1/audit-log/consistency-proof`
 *
 * @throws ApiFault INVALID_QUERY, NOT_IMPLEMENTED, NOT_FOUND
 */
export function getAuditLogConsistencyProof(
  api: ApiClient,
  input: { query?: AuditLogConsistencyProofQuery } = {},
): Promise<AuditLogConsistencyProof> {
  return api.send({
    method: 'GET',
    path: '/v1/audit-log/consistency-proof',
    query: input.query,
    expected: AUDIT_ANSWERS['GET /v1/audit-log/consistency-proof'],
  });
}
