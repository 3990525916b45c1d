import {
  allowInsecureRequests,
  type AuthorizationServer,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi';

/** The platform's facts about its identity provider. */
export interface ProviderFacts {
  issuer: string;
  /** The console's id there. */
  clientId: string;
  /** The API's address, which its tokens are for. */
  audience: string;
}

/** Reads the provider's endpoints. @throws Error if it cannot be reached or describes another issuer */
export async function discover({ issuer }: ProviderFacts): Promise<AuthorizationServer> {
  const identifier = new URL(issuer);
  const response = await discoveryRequest(identifier, { algorithm: 'oidc', ...requestOptions(issuer) });
  return processDiscoveryResponse(identifier, response);
}

/** Plain http is for a provider on this machine alone. */
export function requestOptions(issuer: string): { [allowInsecureRequests]: boolean } {
  return { [allowInsecureRequests]: isLocal(new URL(issuer)) };
}

/**
 * The page on which the person signs in. The console opens it, so it is no `javascript:` address, which would be the
 * console's own.
 *
 * @throws Error if the provider names no page
 */
export function signInPage({ authorization_endpoint: endpoint = '' }: AuthorizationServer): URL {
  const page = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (page?.protocol === 'https:' || (page?.protocol === 'http:' && isLocal(page))) return page;
  throw new Error('the identity provider names no page to sign in at');
}

const isLocal = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
