import type { PlatformAlias } from '../config/cloud-alias';

/**
 * The API, the name for which tokens are asked, if that is another one, and the host at which a person signs in. With
 * it, the person can check that a password or a consent goes to the expected place.
 */
export function signInPlace({ apiUrl, audience, issuer }: PlatformAlias): string {
  const tokens = audience === apiUrl ? '' : `, with tokens for ${audience}`;
  return `${apiUrl}${tokens}, sign-in at ${new URL(issuer).host}`;
}
