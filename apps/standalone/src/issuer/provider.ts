import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import {
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  Provider,
  type ResourceServer,
} from 'oidc-provider';
import { SIGNED_IN_PATH } from '@plat/console/places';
import { errorPage } from './account-page';
import { devicePages } from './device-pages';
import { type IssuerAccount, ORG_CLAIM } from './issuer-account';
import { SIGNING_ALGORITHM } from './issuer-keys';
import type { IssuerState } from './issuer-state';
import { PAGE_HEADERS } from './page';
import { offerTokenExchange, TOKEN_EXCHANGE } from './token-exchange';

/** The command-line client, as every local issuer knows it: native, public, without a secret. */
export const CLI_CLIENT_ID = 'plat-cli';
/** The console, as every local issuer knows it: a page, public, without a secret. */
export const CONSOLE_CLIENT_ID = 'plat-console';

/** The API, for a request that names no resource; must be a URI. Tokens carry the audience instead. */
const API_RESOURCE = 'urn:plat:api';

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS;
const ACCESS_TOKEN_SECONDS = 120 * MINUTE_SECONDS;

export interface ProviderOptions {
  /** The issuer identifier; its path is where the provider is mounted. */
  issuer: string;
  /** Separates this issuer's cookies from those of the other issuer on the same host. */
  name: string;
  /** The `aud` of access tokens. */
  audience: string;
  key: JWK;
  state: IssuerState;
  accounts: readonly IssuerAccount[];
}

/** An OpenID provider for development: picked accounts instead of passwords, everything else as certified. */
export function createProvider(options: ProviderOptions): Provider {
  const { issuer, audience, key } = options;
  const provider = new Provider(options.issuer, {
    adapter: (model) => options.state.adapter(model),
    jwks: { keys: [options.key as never] },
    clients: [CLI_CLIENT, consoleClient(new URL(options.issuer).origin)],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    // A page sends its origin with each POST, also to its own.
    clientBasedCORS: (_ctx, origin, client) =>
      client.clientId === CONSOLE_CLIENT_ID && origin === new URL(options.issuer).origin,
    cookies: cookies(options.name),
    features: features(options.audience),
    ttl: lifetimes(),
    findAccount: (_ctx, sub) => {
      const known = options.accounts.some(({ subject }) => subject === sub);
      return known ? { accountId: sub, claims: () => ({ sub }) } : undefined;
    },
    extraTokenClaims: (_ctx, token) => {
      const org = options.accounts.find(
        ({ subject }) => 'accountId' in token && subject === token.accountId,
      )?.org;
      return org === undefined ? undefined : { [ORG_CLAIM]: org };
    },
    // A signed-in terminal stays signed in, even if it did not ask for offline_access.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    rotateRefreshToken: true,
    interactions: { url: (_ctx, { uid }) => `${new URL(options.issuer).pathname}/interaction/${uid}` },
    renderError,
  });
  const isKnown = (subject: string) => options.accounts.some((account) => account.subject === subject);
  const resourceServer = (resource: string) => apiServer(audience, resource);
  offerTokenExchange(provider, { issuer, audience, key, resource: API_RESOURCE, resourceServer, isKnown });
  return provider;
}

const CLI_CLIENT = {
  client_id: CLI_CLIENT_ID,
  client_name: 'The plat command line',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
    TOKEN_EXCHANGE,
  ],
  response_types: ['code'],
  // A native client may come back on any loopback port (RFC 8252, 7.3).
  redirect_uris: ['http://127.0.0.1/callback'],
} satisfies NonNullable<Configuration['clients']>[number];

/** The console is on the issuers' own origin, and gets no refresh token: its sign-in ends with its access token. */
const consoleClient = (origin: string) =>
  ({
    client_id: CONSOLE_CLIENT_ID,
    client_name: 'The plat console',
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: [`${origin}${SIGNED_IN_PATH}`],
  }) satisfies NonNullable<Configuration['clients']>[number];

function cookies(name: string): Configuration['cookies'] {
  return {
    names: {
      session: `plat_${name}_session`,
      interaction: `plat_${name}_interaction`,
      resume: `plat_${name}_resume`,
    },
    keys: [randomBytes(32).toString('base64url')],
  };
}

/** JWT access tokens for the API, whether or not the client names it as the resource. Another resource is refused. */
function features(audience: string): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    deviceFlow: { enabled: true, mask: '****-****', deviceInfo: () => ({}), ...devicePages },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API_RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => apiServer(audience, resource),
    },
  };
}

/**
 * A client that names another platform must get no token of this one (RFC 8707).
 *
 * @throws InvalidTarget for a resource that is not the API
 */
function apiServer(audience: string, resource: string): ResourceServer {
  if (resource !== audience && resource !== API_RESOURCE) throw new errors.InvalidTarget();
  return {
    scope: '',
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: ACCESS_TOKEN_SECONDS,
    jwt: { sign: { alg: SIGNING_ALGORITHM } },
  };
}

function lifetimes(): Configuration['ttl'] {
  return {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: MINUTE_SECONDS,
    DeviceCode: 10 * MINUTE_SECONDS,
    IdToken: 60 * MINUTE_SECONDS,
    Interaction: 60 * MINUTE_SECONDS,
    Session: DAY_SECONDS,
    Grant: 30 * DAY_SECONDS,
    RefreshToken: 30 * DAY_SECONDS,
  };
}

function renderError(
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string | undefined },
): void {
  ctx.set(PAGE_HEADERS);
  ctx.body = errorPage(out.error_description ?? out.error);
}
