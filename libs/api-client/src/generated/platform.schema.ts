// Written by `npm run generate` from docs/openapi/platform.json; nobody edits it.
export interface paths {
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
      /** @description UNAUTHENTICATED */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description FORBIDDEN, TENANT_UNRESOLVED, NOT_ENROLLED */
      403: {
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
}
