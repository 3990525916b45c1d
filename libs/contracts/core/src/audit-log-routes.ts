import { route, type RouteEntry } from './route-entry';

/** No key signs logs, or nothing is sealed and signed yet. */
const LOG_CODES = ['NOT_IMPLEMENTED', 'NOT_FOUND'] as const;

/** The part of the route table that reads a tenant's sealed log. */
export const AUDIT_LOG_ROUTES = {
  getAuditLogCheckpoint: route('audit', 'GET /v1/audit-log/checkpoint', {
    status: 200,
    summary: "Show the signed state of the tenant's sealed log",
    codes: LOG_CODES,
  }),
  listAuditLogKeys: route('audit', 'GET /v1/audit-log/keys', {
    status: 200,
    summary: "List the public keys of the tenant's sealed log",
    codes: LOG_CODES,
  }),
  listAuditLogEntries: route('audit', 'GET /v1/audit-log/entries', {
    status: 200,
    summary: 'Page through the sealed log, oldest entry first',
    codes: ['INVALID_QUERY', ...LOG_CODES],
  }),
  getAuditLogTile: route('audit', 'GET /v1/audit-log/tile', {
    status: 200,
    summary: 'Show the hashes of one tile of the sealed log',
    codes: ['INVALID_QUERY', ...LOG_CODES],
  }),
  getAuditLogInclusionProof: route('audit', 'GET /v1/audit-log/inclusion-proof', {
    status: 200,
    summary: 'Prove that a row of the trail, or a landing, is in the sealed log',
    codes: ['INVALID_QUERY', ...LOG_CODES],
  }),
  getAuditLogConsistencyProof: route('audit', 'GET /v1/audit-log/consistency-proof', {
    status: 200,
    summary: 'Prove that the sealed log has only grown between two sizes',
    codes: ['INVALID_QUERY', ...LOG_CODES],
  }),
} as const satisfies Record<string, RouteEntry>;
