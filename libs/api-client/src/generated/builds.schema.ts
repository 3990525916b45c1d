// Written by `npm run generate` from docs/openapi/builds.json; nobody edits it.
export interface paths {
  '/v1/builds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Page through builds, with or without a review, newest first */
    get: operations['listBuilds'];
    put?: never;
    /** Report a build of an environment, which moves no review */
    post: operations['createBuild'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/builds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List a review's builds, newest first */
    get: operations['listReviewBuilds'];
    put?: never;
    /** Report a build of a review, which moves the review */
    post: operations['createReviewBuild'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/builds/{build_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show one of a review's builds */
    get: operations['getReviewBuild'];
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
    Build: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      buildId: string;
      /**
       * Format: uuid
       * @description The tenant that the build belongs to
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The review that was built; exactly one of reviewId and environmentId
       */
      reviewId?: string;
      /** @description Present with reviewId */
      reviewName?: string;
      /**
       * Format: uuid
       * @description The environment that was built for
       */
      environmentId?: string;
      /** @description Present with environmentId */
      environmentName?: string;
      /**
       * @description RECORDED by a client or CI, or the GATE of the merge queue
       * @enum {string}
       */
      kind: 'RECORDED' | 'GATE';
      /** @description Whether the build succeeded */
      successful: boolean;
      /** @description The commit that was built */
      commitId: string;
      /**
       * @description Present on RECORDED
       * @example 1.4.0
       */
      version?: string;
      /** @description Why the build failed */
      failureDetail?: string;
      /** @description true on a successful GATE build that rests on the word of who reported it: neither the checkout nor the platform knows a gate of the commit. Absent on any other */
      vouched?: boolean;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description RFC 3339 UTC
       */
      updatedAt: string;
    };
    BuildPage: {
      /** @description Newest first */
      builds: components['schemas']['Build'][];
      /** @description Absent on the last page */
      nextCursor?: string;
    };
    CreateBuild: {
      /**
       * Format: uuid
       * @description The caller's own environment that was built for
       */
      environmentId: string;
      /** @description The commit that was built */
      commitId: string;
      /** @description Whether the build succeeded */
      successful: boolean;
      /**
       * @description A GATE build always has a review
       * @enum {string}
       */
      kind?: 'RECORDED';
      /**
       * @description The version that was built
       * @example 1.4.0
       */
      version: string;
      /** @description Why the build failed */
      failureDetail?: string;
    };
    CreateReviewBuild: {
      /** @description The commit that was built */
      commitId: string;
      /** @description Whether the build succeeded */
      successful: boolean;
      /**
       * @description RECORDED when absent
       * @enum {string}
       */
      kind?: 'RECORDED' | 'GATE';
      /**
       * @description Required for RECORDED, dropped for GATE
       * @example 1.4.0
       */
      version?: string;
      /** @description Required on a failed GATE build */
      failureDetail?: string;
      /** @description Whether a successful GATE build rests on your word alone; refused as true on any other */
      vouched?: boolean;
      /**
       * Format: uuid
       * @description Must be the caller's own environment; not kept
       */
      environmentId?: string;
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
  listBuilds: {
    parameters: {
      query?: {
        /** @description Environment */
        environmentId?: string;
        /** @description Kind */
        kind?: 'RECORDED' | 'GATE';
        /** @description Outcome */
        successful?: 'true' | 'false';
        /** @description Earliest createdAt, inclusive */
        since?: string;
        /** @description Latest createdAt, inclusive */
        until?: string;
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
           *       "builds": [
           *         {
           *           "buildId": "01920000-0000-7000-8000-000000000001",
           *           "tenantId": "01920000-0000-7000-8000-000000000001",
           *           "kind": "RECORDED",
           *           "successful": true,
           *           "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *           "version": "1.4.0",
           *           "createdAt": "2026-01-02T03:04:05.678901Z",
           *           "updatedAt": "2026-01-02T03:04:05.678901Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['BuildPage'];
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
  createBuild: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters, new for each request. Within 24 hours a repeat with the same key and body is answered as the first request was, and creates nothing */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "environmentId": "01920000-0000-7000-8000-000000000001",
         *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
         *       "successful": true,
         *       "version": "1.4.0"
         *     }
         */
        'application/json': components['schemas']['CreateBuild'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description true, if an earlier request with the key was answered so */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "buildId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "kind": "RECORDED",
           *       "successful": true,
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "version": "1.4.0",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Build'];
        };
      };
      /** @description INVALID_BODY, INVALID_COMMIT_ID, INVALID_VERSION, BAD_REQUEST */
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
      /** @description IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
      409: {
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
  listReviewBuilds: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of the contract */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example [
           *       {
           *         "buildId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "kind": "RECORDED",
           *         "successful": true,
           *         "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *         "version": "1.4.0",
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Build'][];
        };
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
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
  createReviewBuild: {
    parameters: {
      query?: never;
      header?: {
        /** @description 1 to 255 visible ASCII characters, new for each request. Within 24 hours a repeat with the same key and body is answered as the first request was, and creates nothing */
        'Idempotency-Key'?: string;
      };
      path: {
        review_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
         *       "successful": true,
         *       "version": "1.4.0"
         *     }
         */
        'application/json': components['schemas']['CreateReviewBuild'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          /** @description true, if an earlier request with the key was answered so */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "buildId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "kind": "RECORDED",
           *       "successful": true,
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "version": "1.4.0",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Build'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, INVALID_COMMIT_ID, INVALID_VERSION, BAD_REQUEST */
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
      /** @description IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
      409: {
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
  getReviewBuild: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        review_id: string;
        build_id: string;
      };
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
           *       "buildId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "kind": "RECORDED",
           *       "successful": true,
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "version": "1.4.0",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Build'];
        };
      };
      /** @description INVALID_PATH_ID, BAD_REQUEST */
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
