import type { JSONWebKeySet } from 'jose';
import { TokenRefused } from './token';

const FETCH_TIMEOUT_MS = 5_000;

/**
 * Fetches an issuer's signing keys, found by OIDC discovery.
 *
 * @throws TokenRefused when they cannot be fetched, or the document describes another issuer
 */
export async function fetchIssuerKeys(issuer: string, allowHttp: boolean): Promise<JSONWebKeySet> {
  try {
    const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const document = await fetchJson(place, allowHttp);
    if (document.issuer !== issuer) throw new Error('it describes itself as another issuer');
    const keySet = await fetchJson(String(document.jwks_uri), allowHttp);
    return { keys: keySet.keys as JSONWebKeySet['keys'] };
  } catch (cause) {
    throw new TokenRefused(`the keys of ${issuer} cannot be had`, { cause });
  }
}

async function fetchJson(place: string, allowHttp: boolean): Promise<Record<string, unknown>> {
  const address = new URL(place);
  if (address.protocol !== 'https:' && !allowHttp) throw new Error(`${address.origin} is not https`);
  const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`${address.href} answered ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}
