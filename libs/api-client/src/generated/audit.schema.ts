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
}
