// Written by `npm run generate` from docs/openapi/audit.json; nobody edits it.
export interface paths {
  '/v1/audit-events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Page through the audit trail, newest first */
    get: operations['listAuditEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/checkpoint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the signed state of the tenant's sealed log */
    get: operations['getAuditLogCheckpoint'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/consistency-proof': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Prove that the sealed log has only grown between two sizes */
    get: operations['getAuditLogConsistencyProof'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/entries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Page through the sealed log, oldest entry first */
    get: operations['listAuditLogEntries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/inclusion-proof': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Prove that a row of the trail, or a landing, is in the sealed log */
    get: operations['getAuditLogInclusionProof'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the public keys of the tenant's sealed log */
    get: operations['listAuditLogKeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit-log/tile': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the hashes of one tile of the sealed log */
    get: operations['getAuditLogTile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    AuditEvent: {
      /**
       * Format: uuid
       * @description A UUIDv7
       */
      auditEventId: string;
      /**
       * Format: uuid
       * @description The tenant that the event belongs to
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The platform user, not the subject of the identity provider
       */
      erunUserId: string;
      /** @description The subject that the identity provider presented */
      externalUserId: string;
      /** @description The OIDC issuer */
      externalIssuerId: string;
      /** @description The organisation; for a shared issuer only */
      externalOrgId?: string;
      /**
       * @description How the request was driven
       * @enum {string}
       */
      type: 'API' | 'MCP' | 'CLI';
      /**
       * @description With type API
       * @example POST
       */
      apiMethod?: string;
      /**
       * @description With type API: the route template
       * @example /v1/reviews/{review_id}
       */
      apiPath?: string;
      /**
       * @description With type MCP
       * @example review_requeue
       */
      mcpTool?: string;
      /** @description Reserved */
      cliCommand?: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      createdAt: string;
    };
    AuditEventPage: {
      /** @description Newest first */
      events: components['schemas']['AuditEvent'][];
      /** @description Absent on the last page */
      nextCursor?: string;
    };
    AuditLogCheckpoint: {
      /**
       * @description Name of the log, and of its keys: `<host>/log/<tenantId>`
       * @example plat.example/log/0190a0b0-c0d0-7000-8000-000000000001
       */
      origin: string;
      /**
       * @description How many entries it has
       * @example 4711
       */
      size: number;
      /** @description RFC 6962 root of its Merkle tree, base64 */
      rootHash: string;
      /** @description Origin, size and root as a signed note (C2SP signed-note and tlog-checkpoint) */
      checkpoint: string;
      /**
       * Format: date-time
       * @description When the last of its entries was sealed, RFC 3339 UTC
       */
      sealedAt: string;
    };
    AuditLogConsistencyProof: {
      /** @description The smaller size */
      from: number;
      /** @description The larger size */
      to: number;
      /** @description RFC 6962 consistency proof, base64 */
      hashes: string[];
    };
    AuditLogEntry: {
      /** @description Its place in the log, from 0 */
      index: number;
      /** @description The entry, byte for byte: canonical JSON with kind, id, time and two commitments */
      leaf: string;
      /** @description Salt of the commitment `open`, base64; absent if the fields were erased */
      salt?: string;
      /** @description The committed fields, byte for byte: canonical JSON; absent if they were erased */
      fields?: string;
    };
    AuditLogEntryPage: {
      /** @description Oldest first */
      entries: components['schemas']['AuditLogEntry'][];
      /** @description `from` of the next page; absent on the last one */
      nextFrom?: number;
    };
    AuditLogInclusionProof: {
      /** @description Its place in the log, from 0 */
      index: number;
      /** @description The entry, byte for byte: canonical JSON with kind, id, time and two commitments */
      leaf: string;
      /** @description Salt of the commitment `open`, base64; absent if the fields were erased */
      salt?: string;
      /** @description The committed fields, byte for byte: canonical JSON; absent if they were erased */
      fields?: string;
      /** @description Size of the log that the proof is about */
      size: number;
      /** @description RFC 6962 audit path, base64, from the entry upwards */
      hashes: string[];
      /** @description The signed checkpoint of that size; absent if the request named a size */
      checkpoint?: string;
    };
    AuditLogKey: {
      /** @description The key as a verifier of signed notes takes it (C2SP vkey) */
      verifierKey: string;
      /** @description The Ed25519 key itself, base64 */
      publicKey: string;
      /** @description Whether it signs checkpoints now */
      signs: boolean;
    };
    AuditLogKeySet: {
      /** @description Name of the log */
      origin: string;
      /** @description The signing keys first, then the newest first */
      keys: components['schemas']['AuditLogKey'][];
    };
    AuditLogTile: {
      /** @description The hashes, one after the other, base64 */
      hashes: string;
    };
    Error: {
      /** @description A code of docs/errors.md */
      code: string;
      /** @description For a person */
      message: string;
      /** @description What the code documents */
      details?: {
        [key: string]: unknown;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAuditEvents: {
    parameters: {
      query?: {
        /** @description Earliest createdAt, inclusive */
        since?: string;
        /** @description Latest createdAt, inclusive */
        until?: string;
        /** @description The platform user */
        erunUserId?: string;
        /** @description How the request was driven */
        type?: 'API' | 'MCP' | 'CLI';
        /** @description HTTP method */
        apiMethod?: string;
        /** @description Route template */
        apiPath?: string;
        /** @description nextCursor of the page before */
        cursor?: string;
        /** @description Rows a page: 50 unless given, 200 at most */
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "events": [
           *         {
           *           "auditEventId": "01920000-0000-7000-8000-000000000001",
           *           "tenantId": "01920000-0000-7000-8000-000000000001",
           *           "erunUserId": "01920000-0000-7000-8000-000000000001",
           *           "externalUserId": "text",
           *           "externalIssuerId": "text",
           *           "type": "API",
           *           "apiMethod": "POST",
           *           "apiPath": "/v1/reviews/{review_id}",
           *           "mcpTool": "review_requeue",
           *           "createdAt": "2026-01-02T03:04:05.678901Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['AuditEventPage'];
        };
      };
      /** @description INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAuditLogCheckpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "origin": "plat.example/log/0190a0b0-c0d0-7000-8000-000000000001",
           *       "size": 4711,
           *       "rootHash": "text",
           *       "checkpoint": "text",
           *       "sealedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['AuditLogCheckpoint'];
        };
      };
      /** @description BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAuditLogConsistencyProof: {
    parameters: {
      query: {
        /** @description The smaller size, at least 1 */
        from: string;
        /** @description The larger size; the signed one unless given */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "from": 1,
           *       "to": 1,
           *       "hashes": []
           *     }
           */
          'application/json': components['schemas']['AuditLogConsistencyProof'];
        };
      };
      /** @description INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listAuditLogEntries: {
    parameters: {
      query?: {
        /** @description Index of the first entry; 0 unless given */
        from?: string;
        /** @description Entries a page: 256 unless given, 1024 at most */
        limit?: string;
        /** @description Entries of this kind only */
        kind?: 'audit' | 'landing' | 'key' | 'erasure';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "entries": [
           *         {
           *           "index": 1,
           *           "leaf": "text"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['AuditLogEntryPage'];
        };
      };
      /** @description INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAuditLogInclusionProof: {
    parameters: {
      query?: {
        /** @description The entry by its index */
        index?: string;
        /** @description The entry of this row of the trail */
        auditEventId?: string;
        /** @description The newest entry of the landing of this review */
        reviewId?: string;
        /** @description Size of the log; the signed one unless given */
        size?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "index": 1,
           *       "leaf": "text",
           *       "size": 1,
           *       "hashes": []
           *     }
           */
          'application/json': components['schemas']['AuditLogInclusionProof'];
        };
      };
      /** @description INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listAuditLogKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "origin": "text",
           *       "keys": [
           *         {
           *           "verifierKey": "text",
           *           "publicKey": "text",
           *           "signs": true
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['AuditLogKeySet'];
        };
      };
      /** @description BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getAuditLogTile: {
    parameters: {
      query: {
        /** @description Level of the tile; 0 has the hashes of the entries */
        level: string;
        /** @description Place of the tile in its level, from 0 */
        index: string;
        /** @description How many of its hashes: 256 unless given */
        width?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "hashes": "text"
           *     }
           */
          'application/json': components['schemas']['AuditLogTile'];
        };
      };
      /** @description INVALID_QUERY, BAD_REQUEST */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED, USER_DISABLED, TENANT_DISABLED */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_FOUND */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVED */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description NOT_IMPLEMENTED */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description TENANT_MOVING, SERVICE_UNAVAILABLE */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
