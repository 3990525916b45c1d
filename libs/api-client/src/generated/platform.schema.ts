// Written by `npm run generate` from docs/openapi/platform.json; nobody edits it.
export interface paths {
  '/v1/environments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List environments by name */
    get: operations['listEnvironments'];
    put?: never;
    /** Register an environment */
    post: operations['createEnvironment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/environments/{environment_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show one environment */
    get: operations['getEnvironment'];
    put?: never;
    post?: never;
    /** Delete an environment in the background */
    delete: operations['deleteEnvironment'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/environments/{environment_id}/hostname': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Point an environment's public names at an address */
    put: operations['putHostname'];
    post?: never;
    /** Take an environment's public names back */
    delete: operations['deleteHostname'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/platform': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Describe the platform to a client that has not signed in */
    get: operations['getPlatform'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the roles of the tenant by name */
    get: operations['listRoles'];
    put?: never;
    /** Define a role by what it permits */
    post: operations['createRole'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/roles/{role_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show what a role permits */
    get: operations['getRole'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the users of the tenant by name */
    get: operations['listUsers'];
    put?: never;
    /** Enrol a user, who can sign in when a subject is given */
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{user_id}/roles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the roles that a user holds */
    get: operations['listUserRoles'];
    put?: never;
    /** Give a user a role */
    post: operations['grantRole'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{user_id}/roles/{role_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Take a role back, unless nobody could grant roles any more */
    delete: operations['revokeRole'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{user_id}/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Disable a user, unless nobody could grant roles any more, or enable one */
    patch: operations['updateUserStatus'];
    trace?: never;
  };
  '/v1/users/{user_id}/subject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set by which subject of an issuer a user signs in */
    put: operations['setUserSubject'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/whoami': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show who the caller is here */
    get: operations['whoami'];
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
    CreateEnvironment: {
      /**
       * @description Unique in the tenant; with the tenant's name and a hyphen before it at most 63 characters
       * @example dev
       */
      name: string;
      /**
       * @description How the environment runs
       * @enum {string}
       */
      type: 'local-agent' | 'remote-agent' | 'runtime';
      /** @description The cluster that it runs in, as the deployment names it, one of those that environments may name; its default one otherwise */
      kubernetesContext?: string;
    };
    CreateRole: {
      /**
       * @description Unique in the tenant
       * @example Promoter
       */
      name: string;
      /** @description The requests that the role permits: all that match one of the rules */
      permissions: components['schemas']['Permission'][];
    };
    CreateUser: {
      /**
       * @description Unique in the tenant
       * @example alice
       */
      username: string;
      /** @description The OIDC issuer that the subject is of; may be left out when only one serves the tenant */
      issuer?: string;
      /** @description The issuer's name for the user; without one the user cannot sign in */
      subject?: string;
      /** @description Roles to hold from the start; takes the permission to grant roles */
      roleIds?: string[];
    };
    Environment: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      environmentId: string;
      /**
       * Format: uuid
       * @description The tenant that the environment belongs to
       */
      tenantId: string;
      /**
       * @description Unique in the tenant
       * @example dev
       */
      name: string;
      /**
       * @description Its Kubernetes namespace, <tenant>-<name>; left out for another tenant's
       * @example acme-dev
       */
      namespace?: string;
      /**
       * @description How the environment runs
       * @enum {string}
       */
      type: 'local-agent' | 'remote-agent' | 'runtime';
      /**
       * @description deleting while the job is under way, deletion-blocked when it has given up
       * @enum {string}
       */
      status: 'registered' | 'deleting' | 'deletion-blocked';
      /** @description The cluster that it runs in, as the deployment names it */
      kubernetesContext?: string;
      /**
       * @description The wildcard name under which its services are public
       * @example *.acme-dev.services.example
       */
      exposedHostname?: string;
      /** @description Why the deletion is blocked */
      deleteError?: string;
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
    GrantRole: {
      /**
       * Format: uuid
       * @description A role of the tenant
       */
      roleId: string;
    };
    Hostname: {
      /**
       * @description The wildcard name that the record has; a service is public as <service> in place of *
       * @example *.acme-dev.services.example
       */
      hostname: string;
      /**
       * Format: ipv4
       * @description The address it leads to
       * @example 192.0.2.1
       */
      targetIp: string;
    };
    Permission: {
      /**
       * @description The method, with apiPath
       * @enum {string}
       */
      apiMethod?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /**
       * @description The route template, with apiMethod
       * @example /v1/reviews/{review_id}
       */
      apiPath?: string;
      /**
       * @description Pattern for the whole method, with apiPathPattern
       * @example GET|POST
       */
      apiMethodPattern?: string;
      /**
       * @description Pattern for the whole template: letters, digits, / _ - { }, . for any character, .* at most 4 times, | and groups ( ) or ( )?
       * @example /v1/reviews(/.*)?
       */
      apiPathPattern?: string;
    };
    Platform: {
      /** @description OIDC issuer to sign in with */
      issuer: string;
      /** @description Base address of this API; also the audience of its tokens */
      apiUrl: string;
      /** @description Address of the console */
      consoleUrl: string;
      /** @description The command-line client's id at the issuer */
      cliClientId: string;
      /** @description The console's client id at the issuer */
      consoleClientId: string;
      /** @description Name to show */
      brand: string;
      /** @description Address of the documentation */
      docsUrl: string;
      /**
       * @description Version of the services
       * @example 0.1.0
       */
      version: string;
      /** @description DNS zone under which environments get public names */
      servicesZone: string;
    };
    PutHostname: {
      /**
       * Format: ipv4
       * @description The IPv4 address of the environment's ingress; not a loopback, link-local, unspecified, multicast or reserved one
       * @example 192.0.2.1
       */
      targetIp: string;
    };
    Role: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      roleId: string;
      /**
       * @description Unique in the tenant
       * @example TenantUser
       */
      name: string;
    };
    RoleDetails: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      roleId: string;
      /**
       * @description Unique in the tenant
       * @example TenantUser
       */
      name: string;
      /** @description Its rules: each request that one of them matches is permitted */
      permissions: components['schemas']['Permission'][];
    };
    SetUserSubject: {
      /** @description The OIDC issuer that the subject is of; may be left out when only one serves the tenant */
      issuer?: string;
      /** @description The issuer's name for the user; it replaces an earlier one of the same issuer */
      subject: string;
    };
    UpdateUserStatus: {
      /**
       * @description DISABLED refuses the user from the next request on, ACTIVE serves the user again
       * @enum {string}
       */
      status: 'ACTIVE' | 'DISABLED';
    };
    User: {
      /**
       * Format: uuid
       * @description Assigned by the service
       */
      userId: string;
      /**
       * Format: uuid
       * @description The tenant that the user belongs to
       */
      tenantId: string;
      /**
       * @description Unique in the tenant
       * @example alice
       */
      username: string;
      /**
       * Format: date-time
       * @description Since when the user is disabled, RFC 3339 UTC
       */
      disabledAt?: string;
    };
    Whoami: {
      /**
       * Format: uuid
       * @description The caller's tenant
       */
      tenantId: string;
      /**
       * Format: uuid
       * @description The caller's platform user id
       */
      userId: string;
      /** @description Name within the tenant */
      username: string;
      /** @description Names of the roles held */
      roles: string[];
      /** @description The OIDC issuer */
      issuer: string;
      /** @description The subject that the identity provider presented */
      subject: string;
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
  listEnvironments: {
    parameters: {
      query?: never;
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
           *         "environmentId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "name": "dev",
           *         "namespace": "acme-dev",
           *         "type": "local-agent",
           *         "status": "registered",
           *         "exposedHostname": "*.acme-dev.services.example",
           *         "createdAt": "2026-01-02T03:04:05.678901Z",
           *         "updatedAt": "2026-01-02T03:04:05.678901Z"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Environment'][];
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
  createEnvironment: {
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
         *       "name": "dev",
         *       "type": "local-agent"
         *     }
         */
        'application/json': components['schemas']['CreateEnvironment'];
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
           *       "environmentId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "name": "dev",
           *       "namespace": "acme-dev",
           *       "type": "local-agent",
           *       "status": "registered",
           *       "exposedHostname": "*.acme-dev.services.example",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Environment'];
        };
      };
      /** @description INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE */
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
  getEnvironment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        environment_id: string;
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
           *       "environmentId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "name": "dev",
           *       "namespace": "acme-dev",
           *       "type": "local-agent",
           *       "status": "registered",
           *       "exposedHostname": "*.acme-dev.services.example",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Environment'];
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
  deleteEnvironment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        environment_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "environmentId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "name": "dev",
           *       "namespace": "acme-dev",
           *       "type": "local-agent",
           *       "status": "registered",
           *       "exposedHostname": "*.acme-dev.services.example",
           *       "createdAt": "2026-01-02T03:04:05.678901Z",
           *       "updatedAt": "2026-01-02T03:04:05.678901Z"
           *     }
           */
          'application/json': components['schemas']['Environment'];
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
  putHostname: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        environment_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "targetIp": "192.0.2.1"
         *     }
         */
        'application/json': components['schemas']['PutHostname'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "hostname": "*.acme-dev.services.example",
           *       "targetIp": "192.0.2.1"
           *     }
           */
          'application/json': components['schemas']['Hostname'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT */
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
  deleteHostname: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        environment_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
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
  getPlatform: {
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
           *       "issuer": "text",
           *       "apiUrl": "text",
           *       "consoleUrl": "text",
           *       "cliClientId": "text",
           *       "consoleClientId": "text",
           *       "brand": "text",
           *       "docsUrl": "text",
           *       "version": "0.1.0",
           *       "servicesZone": "text"
           *     }
           */
          'application/json': components['schemas']['Platform'];
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
      /** @description INTERNAL_ERROR */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description SERVICE_UNAVAILABLE */
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
  listRoles: {
    parameters: {
      query?: never;
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
           *         "roleId": "01920000-0000-7000-8000-000000000001",
           *         "name": "TenantUser"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Role'][];
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
  createRole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Promoter",
         *       "permissions": [
         *         {
         *           "apiPath": "/v1/reviews/{review_id}",
         *           "apiMethodPattern": "GET|POST",
         *           "apiPathPattern": "/v1/reviews(/.*)?"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateRole'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "roleId": "01920000-0000-7000-8000-000000000001",
           *       "name": "TenantUser"
           *     }
           */
          'application/json': components['schemas']['Role'];
        };
      };
      /** @description INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT */
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
  getRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        role_id: string;
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
           *       "roleId": "01920000-0000-7000-8000-000000000001",
           *       "name": "TenantUser",
           *       "permissions": [
           *         {
           *           "apiPath": "/v1/reviews/{review_id}",
           *           "apiMethodPattern": "GET|POST",
           *           "apiPathPattern": "/v1/reviews(/.*)?"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RoleDetails'];
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
  listUsers: {
    parameters: {
      query?: never;
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
           *         "userId": "01920000-0000-7000-8000-000000000001",
           *         "tenantId": "01920000-0000-7000-8000-000000000001",
           *         "username": "alice"
           *       }
           *     ]
           */
          'application/json': components['schemas']['User'][];
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
  createUser: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "username": "alice"
         *     }
         */
        'application/json': components['schemas']['CreateUser'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "userId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "username": "alice"
           *     }
           */
          'application/json': components['schemas']['User'];
        };
      };
      /** @description INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT */
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
  listUserRoles: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string;
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
           *         "roleId": "01920000-0000-7000-8000-000000000001",
           *         "name": "TenantUser"
           *       }
           *     ]
           */
          'application/json': components['schemas']['Role'][];
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
  grantRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "roleId": "01920000-0000-7000-8000-000000000001"
         *     }
         */
        'application/json': components['schemas']['GrantRole'];
      };
    };
    responses: {
      /** @description Done */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "roleId": "01920000-0000-7000-8000-000000000001",
           *       "name": "TenantUser"
           *     }
           */
          'application/json': components['schemas']['Role'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT */
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
  revokeRole: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string;
        role_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
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
      /** @description CONFLICT */
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
  updateUserStatus: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "ACTIVE"
         *     }
         */
        'application/json': components['schemas']['UpdateUserStatus'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "userId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "username": "alice"
           *     }
           */
          'application/json': components['schemas']['User'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT */
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
  setUserSubject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        user_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "subject": "text"
         *     }
         */
        'application/json': components['schemas']['SetUserSubject'];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "userId": "01920000-0000-7000-8000-000000000001",
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "username": "alice"
           *     }
           */
          'application/json': components['schemas']['User'];
        };
      };
      /** @description INVALID_PATH_ID, INVALID_BODY, BAD_REQUEST */
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
      /** @description CONFLICT */
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
  whoami: {
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
           *       "tenantId": "01920000-0000-7000-8000-000000000001",
           *       "userId": "01920000-0000-7000-8000-000000000001",
           *       "username": "text",
           *       "roles": [],
           *       "issuer": "text",
           *       "subject": "text"
           *     }
           */
          'application/json': components['schemas']['Whoami'];
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
