import { importJWK, type JWK, jwtVerify } from 'jose';
import { errors, type Provider, type ResourceServer, type TokenEndpointGrantContext } from 'oidc-provider';
import { SIGNING_ALGORITHM } from './issuer-keys';

/** The grant type of RFC 8693. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token';
const SCOPE = 'openid offline_access';

export interface TokenExchange {
  issuer: string;
  audience: string;
  /** Signs the access tokens that are exchanged. */
  key: JWK;
  /** The resource of a request that names none. */
  resource: string;
  /** Returns the form of tokens for a resource. @throws InvalidTarget for another one than the API */
  resourceServer(resource: string): ResourceServer;
  /** Whether there is an account with the subject. */
  isKnown(subject: string): boolean;
}

type Params = Partial<
  Record<'subject_token' | 'subject_token_type' | 'requested_token_type' | 'resource', string>
>;

/**
 * Lets a signed-in client exchange its access token for a refresh token of a grant of its own (RFC 8693), with which
 * another machine acts as the same person: each session is renewed and ended without the other one.
 */
export function offerTokenExchange(provider: Provider, exchange: TokenExchange): void {
  const handler = async (ctx: TokenEndpointGrantContext<Params>): Promise<void> => {
    const { client, params } = ctx.oidc;
    if (params.subject_token_type !== ACCESS_TOKEN || params.requested_token_type !== REFRESH_TOKEN) {
      throw new errors.InvalidRequest('only an access token is exchanged, for a refresh token');
    }
    const resource = params.resource ?? exchange.resource;
    const resourceServer = exchange.resourceServer(resource);
    const { sub, client_id: clientId } = await verifyToken(params.subject_token ?? '', exchange);
    if (clientId !== client.clientId) throw new errors.InvalidGrant('the token is of another client');
    if (sub === undefined || !exchange.isKnown(sub)) {
      throw new errors.InvalidGrant('the account is not known');
    }
    const grant = new provider.Grant({ accountId: sub, clientId: client.clientId });
    grant.addOIDCScope(SCOPE);
    const source = { accountId: sub, client, grantId: await grant.save(), gty: 'token_exchange' };
    const refresh = new provider.RefreshToken({ ...source, scope: SCOPE, resource } as never);
    const access = new provider.AccessToken(source as never);
    access.resourceServer = new provider.ResourceServer(resource, resourceServer);
    ctx.body = {
      access_token: await access.save(),
      refresh_token: await refresh.save(),
      issued_token_type: REFRESH_TOKEN,
      token_type: access.tokenType,
      expires_in: access.expiration,
      scope: SCOPE,
    };
  };
  const params = ['subject_token', 'subject_token_type', 'requested_token_type', 'resource', 'scope'];
  provider.registerGrantType(TOKEN_EXCHANGE, handler, params);
}

/** The claims of an access token of this issuer. @throws InvalidGrant */
async function verifyToken(token: string, { issuer, audience, key }: TokenExchange) {
  const { d: _private, ...publicKey } = key;
  try {
    const checks = { issuer, audience, typ: 'at+jwt', algorithms: [SIGNING_ALGORITHM] };
    const { payload } = await jwtVerify(token, await importJWK(publicKey, SIGNING_ALGORITHM), checks);
    return payload;
  } catch {
    throw new errors.InvalidGrant('the token is not a valid access token of this issuer');
  }
}
