import type { JSONWebKeySet } from 'jose';
import { TokenRefused } from './token';
import { usableKeys } from './usable-keys';

const FETCH_TIMEOUT_MS = 5_000;
/** Longest document of an issuer, in bytes after it is decompressed. Its documents have a few kilobytes. */
const DOCUMENT_BYTES_MAX = 1024 * 1024;

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
    return { keys: usableKeys(keySet.keys) };
  } catch (cause) {
    throw new TokenRefused(`the keys of ${issuer} cannot be had`, { cause });
  }
}

async function fetchJson(place: string, allowHttp: boolean): Promise<Record<string, unknown>> {
  const address = new URL(place);
  if (address.protocol !== 'https:' && !allowHttp) throw new Error(`${address.origin} is not https`);
  const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`${address.href} answered ${response.status}`);
  return JSON.parse(await readBounded(response)) as Record<string, unknown>;
}

async function readBounded({ body, url }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by an error ends the connection.
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > DOCUMENT_BYTES_MAX) throw new Error(`${url} answered more than ${DOCUMENT_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
