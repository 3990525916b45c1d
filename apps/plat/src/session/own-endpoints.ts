import type { PlatformAlias } from '../config/cloud-alias';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** The addresses of a provider's description that a sign-in uses. */
export interface Endpoints {
  /** The page at which a person signs in. */
  authorization_endpoint?: string | undefined;
  /** Gives the code that a person enters. */
  device_authorization_endpoint?: string | undefined;
  /** Is sent the code of a completed sign-in. */
  token_endpoint?: string | undefined;
}

/**
 * Refuses a provider that begins a sign-in at another provider and has the code of it sent to itself: it could redeem the
 * code there, and act as the person on the other's platform (RFC 9700, section 4.4). A provider of several hosts begins a
 * sign-in at the host of its issuer, or where it is sent the code.
 *
 * @throws Failure FOREIGN_SIGN_IN
 */
export function requireOwnEndpoints(
  { issuer, apiUrl }: PlatformAlias,
  { token_endpoint, authorization_endpoint, device_authorization_endpoint }: Endpoints,
): void {
  const own = [issuer, token_endpoint].map(originOf);
  const begins = [authorization_endpoint, device_authorization_endpoint].filter((one) => one !== undefined);
  const foreign = begins.find((address) => !own.includes(originOf(address)));
  if (foreign === undefined) return;
  throw new Failure(
    'FOREIGN_SIGN_IN',
    `${issuer} begins a sign-in at ${originOf(foreign)}, and would be sent the code of it: with that it could act as you elsewhere.`,
    {
      details: { issuer, begins: foreign, codeGoesTo: token_endpoint },
      next: nextStep('ask the administrator of', [apiUrl], 'whether this is its identity provider'),
    },
  );
}

/** The address itself if it has no origin, as `javascript:` has none. */
function originOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return address;
  const { origin } = new URL(address);
  return origin === 'null' ? address : origin;
}
