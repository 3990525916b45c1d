import type { PlatformAlias } from '../config/cloud-alias';

/**
 * The API, the name for which tokens are asked, if that is another one, and the host at which a person signs in. With
 * it, the person can check that a password or a consent goes to the expected place.
 */
export function signInPlace({ apiUrl, audience, issuer }: PlatformAlias): string {
  const tokens = audience === apiUrl ? '' : `, with tokens for ${audience}`;
  return `${apiUrl}${tokens}, sign-in at ${new URL(issuer).host}`;
}

/**
 * The host of the page at which a code is entered, if it is not the issuer's. Some providers have one for that, but a
 * provider may also hand out a code that it has got at another one, by which it would act there as the person.
 */
export function otherPageHost({ issuer }: PlatformAlias, page: string | undefined): string | undefined {
  if (page === undefined) return undefined;
  const host = URL.canParse(page) ? new URL(page).host : page;
  return host === new URL(issuer).host ? undefined : host;
}
