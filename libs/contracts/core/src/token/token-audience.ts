const PARTS_OF_SIGNED_TOKEN = 3;

/**
 * The APIs that a signed token (JWT) says it is for; empty if it names none. The signature is not checked.
 *
 * @returns undefined for any other token: one that is opaque or encrypted does not say what it is for
 */
export function audiencesOf(token: string): string[] | undefined {
  const claims = claimsOf(token);
  if (claims === undefined) return undefined;
  const named: unknown[] = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  return named.filter((one) => typeof one === 'string');
}

/** Whether the token may be for the API. Only a signed token for other APIs is certainly not. */
export function mayBeFor(token: string, audience: string): boolean {
  return audiencesOf(token)?.includes(audience) ?? true;
}

function claimsOf(token: string): { aud?: unknown } | undefined {
  const parts = token.split('.');
  if (parts.length !== PARTS_OF_SIGNED_TOKEN) return undefined;
  try {
    const claims = JSON.parse(decode(parts[1]!)) as unknown;
    return typeof claims === 'object' && claims !== null ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes base64url, in browsers too. */
function decode(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
