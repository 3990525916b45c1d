// Written by `npm run generate` from the service's controllers. Do not edit.
import { type ApiClient } from '../api-client';

interface AuditEvent {
  /** A UUIDv7 */
  auditEventId: string;
  /** The tenant that the event belongs to */
  tenantId: string;
  /** The platform user, not the subject of the identity provider */
  erunUserId: string;
  /** The subject that the identity provider presented */
  externalUserId: string;
  /** The OIDC issuer */
  externalIssuerId: string;
  /** The organisation; for a shared issuer only */
  externalOrgId?: string;
  /** How the request was driven */
  type: 'API' | 'MCP' | 'CLI';
  /** HTTP method; present with type API */
  apiMethod?: string;
  /** Route template; present with type API */
  apiPath?: string;
  /** Name of the tool; present with type MCP */
  mcpTool?: string;
  /** Reserved */
  cliCommand?: string;
  /** RFC 3339 UTC */
  createdAt: string;
}

export interface AuditEventPage {
  /** Newest first */
  events: AuditEvent[];
  /** Absent on the last page */
  nextCursor?: string;
}

export interface AuditEventQuery {
  /** Earliest createdAt, inclusive */
  since?: string;
  /** Latest createdAt, inclusive */
  until?: string;
  /** The platform user */
  erunUserId?: string;
  /** How the request was driven */
  type?: 'API' | 'MCP' | 'CLI';
  /** HTTP method */
  apiMethod?: string;
  /** Route template */
  apiPath?: string;
  /** nextCursor of the page before */
  cursor?: string;
  /** Rows a page: 50 unless given, 200 at most */
  limit?: string;
}

export interface AuditLogCheckpoint {
  /** Name of the log, and of its keys: `<host>/log/<tenantId>` */
  origin: string;
  /** How many entries it has */
  size: number;
  /** RFC 6962 root of its Merkle tree, base64 */
  rootHash: string;
  /** Origin, size and root as a signed note (C2SP signed-note and tlog-checkpoint) */
  checkpoint: string;
  /** When the last of its entries was sealed, RFC 3339 UTC */
  sealedAt: string;
}

export interface AuditLogConsistencyProof {
  /** The smaller size */
  from: number;
  /** The larger size */
  to: number;
  /** RFC 6962 consistency proof, base64 */
  hashes: string[];
}

export interface AuditLogConsistencyProofQuery {
  /** The smaller size, at least 1 */
  from: string;
  /** The larger size; the signed one unless given */
  to?: string;
}

interface AuditLogEntry {
  /** Its place in the log, from 0 */
  index: number;
  /** The entry, byte for byte: canonical JSON with kind, id, time and two commitments */
  leaf: string;
  /** Salt of the commitment `open`, base64; absent if the fields were erased */
  salt?: string;
  /** The committed fields, byte for byte: canonical JSON; absent if they were erased */
  fields?: string;
}

export interface AuditLogEntryPage {
  /** Oldest first */
  entries: AuditLogEntry[];
  /** `from` of the next page; absent on the last one */
  nextFrom?: number;
}

export interface AuditLogEntryQuery {
  /** Index of the first entry; 0 unless given */
  from?: string;
  /** Entries a page: 256 unless given, 1024 at most */
  limit?: string;
  /** Entries of this kind only */
  kind?: 'audit' | 'landing' | 'key' | 'erasure';
}

export interface AuditLogInclusionProof {
  /** Its place in the log, from 0 */
  index: number;
  /** The entry, byte for byte: canonical JSON with kind, id, time and two commitments */
  leaf: string;
  /** Salt of the commitment `open`, base64; absent if the fields were erased */
  salt?: string;
  /** The committed fields, byte for byte: canonical JSON; absent if they were erased */
  fields?: string;
  /** Size of the log that the proof is about */
  size: number;
  /** RFC 6962 audit path, base64, from the entry upwards */
  hashes: string[];
  /** The signed checkpoint of that size; absent if the request named a size */
  checkpoint?: string;
}

export interface AuditLogInclusionProofQuery {
  /** The entry by its index */
  index?: string;
  /** The entry of this row of the trail */
  auditEventId?: string;
  /** The newest entry of the landing of this review */
  reviewId?: string;
  /** Size of the log; the signed one unless given */
  size?: string;
}

interface AuditLogKey {
  /** The key as a verifier of signed notes takes it (C2SP vkey) */
  verifierKey: string;
  /** The Ed25519 key itself, base64 */
  publicKey: string;
  /** Whether it signs checkpoints now */
  signs: boolean;
}

export interface AuditLogKeySet {
  /** Name of the log */
  origin: string;
  /** The signing keys first, then the newest first */
  keys: AuditLogKey[];
}

export interface AuditLogTile {
  /** The hashes, one after the other, base64 */
  hashes: string;
}

export interface AuditLogTileQuery {
  /** Level of the tile; 0 has the hashes of the entries */
  level: string;
  /** Place of the tile in its level, from 0 */
  index: string;
  /** How many of its hashes: 256 unless given */
  width?: string;
}

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
