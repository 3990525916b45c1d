import type { PlatformAlias } from '../config/cloud-alias';

/**
 * The API, the name for which tokens are asked, if that is another one, and the host at which a person signs in. The
 * person can tell from it whether a password or a consent goes to the expected place.
 */
export function signInPlace({ apiUrl, audience, issuer }: PlatformAlias): string {
  const tokens = audience === apiUrl ? '' : `, with tokens for ${audience}`;
  return `${apiUrl}${tokens}, sign-in at ${new URL(issuer).host}`;
}
