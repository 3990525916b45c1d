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
  const { hostname } = new URL(issuer);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return { [allowInsecureRequests]: isLocal };
}
