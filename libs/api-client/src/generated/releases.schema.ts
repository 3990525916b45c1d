// Written by `npm run generate` from docs/openapi/releases.json; nobody edits it.
export interface paths {
  '/v1/releases': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List releases, newest first */
    get: operations['listReleases'];
    put?: never;
    /** Queue the release of a merge commit (200 when it has one already) */
    post: operations['createRelease'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/releases/{release_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show one release */
    get: operations['getRelease'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reviews/{review_id}/releases': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the releases that a review produced, newest first */
    get: operations['listReviewReleases'];
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
    CreateRelease: {
      /**
       * Format: uuid
       * @description The review whose merge is released
       */
      reviewId?: string;
      /**
       * @description The branch that was merged onto
       * @example main
       */
      targetBranch: string;
      /** @description The merge commit */
      commitId: string;
    };
    Release: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      releaseId: string;
      /**
       * Format: uuid
       * @description The tenant that the release belongs to
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The review whose merge it releases; absent when triggered directly
       */
      reviewId?: string;
      /**
       * @description The branch that was merged onto
       * @example main
       */
      targetBranch: string;
      /** @description The merge commit; one release per tenant and commit */
      commitId: string;
      /**
       * @description Where the release stands
       * @enum {string}
       */
      status: 'queued' | 'running' | 'released' | 'failed';
      /**
       * @description Raised each time a failed release is queued again
       * @example 1
       */
      attempt: number;
      /** @description Only on released */
      version?: string;
      /**
       * Format: uuid
       * @description The build recorded for this release
       */
      buildId?: string;
      /** @description Only on failed: the release's own output */
      failureReason?: string;
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
  listReleases: {
    parameters: {
      query?: {
        /** @description Target branch */
        targetBranch?: string;
        /** @description Review */
        reviewId?: string;
        /** @description Status */
        status?: 'queued' | 'running' | 'released' | 'failed';
      };
      header?: never;
      path?: never;
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
           *         "releaseId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "targetBranch": "main",
           *         "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *         "status": "queued",
           *         "attempt": 1,
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Release'][];
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
  createRelease: {
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
         *       "targetBranch": "main",
         *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742"
         *     }
         */
        'application/json': components['schemas']['CreateRelease'];
      };
    };
    responses: {
      /** @description The release that the commit has already */
      200: {
        headers: {
          /** @description true, if an earlier request with the key was answered so */
          'Idempotency-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "releaseId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "targetBranch": "main",
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "status": "queued",
           *       "attempt": 1,
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Release'];
        };
      };
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
           *       "releaseId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "targetBranch": "main",
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "status": "queued",
           *       "attempt": 1,
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Release'];
        };
      };
      /** @description INVALID_BODY, INVALID_COMMIT_ID, BAD_REQUEST */
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
  getRelease: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        release_id: string;
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
           *       "releaseId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "targetBranch": "main",
           *       "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *       "status": "queued",
           *       "attempt": 1,
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Release'];
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
  listReviewReleases: {
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
           *         "releaseId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "targetBranch": "main",
           *         "commitId": "8b0680813735b69fe333cbe0ba43f338cfbca742",
           *         "status": "queued",
           *         "attempt": 1,
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Release'][];
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
