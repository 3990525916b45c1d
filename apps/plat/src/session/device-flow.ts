import type { Configuration, DeviceAuthorizationResponse } from 'openid-client';
import { oidc, SIGN_IN_SCOPE, type Tokens } from './identity-provider';

/** The pace if a provider names none (RFC 8628, section 3.2). */
const INTERVAL_SECONDS_DEFAULT = 5;
/** Shortest pause between two questions, in seconds. */
const INTERVAL_SECONDS_MIN = 0.1;
/** Longest life of a code, in seconds. Providers give minutes; Node has no timer of more than 24 days. */
const EXPIRES_SECONDS_MAX = 24 * 60 * 60;

/** The data with which a person completes a sign-in on any device. */
export interface DevicePrompt {
  /** The page to open. */
  address: string;
  /** The code to enter there. */
  code: string;
  /** The page with the code filled in, if the provider offers one. */
  completeAddress?: string;
}

/** How the person is asked. */
export interface DeviceAsking {
  /** Called once, before the wait for the person begins. */
  show(prompt: DevicePrompt): void;
  /** Ends the wait. */
  interrupted?: AbortSignal | undefined;
}

/**
 * OIDC device authorization grant (RFC 8628): polls at the provider's pace, slows down on its request, and ends when
 * the code expires. Spec: Client, Authentication, rule 3.
 *
 * @param audience resource indicator of the API.
 * @throws the reason of the aborted signal; errors of the library
 */
export async function signInByDevice(
  provider: Configuration,
  audience: string,
  { show, interrupted }: DeviceAsking,
): Promise<Tokens> {
  const { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } = await oidc();
  const grant = await initiateDeviceAuthorization(provider, { scope: SIGN_IN_SCOPE, resource: audience });
  show({
    address: grant.verification_uri,
    code: grant.user_code,
    completeAddress: grant.verification_uri_complete,
  });
  try {
    return await pollDeviceAuthorizationGrant(
      provider,
      withinBounds(grant),
      { resource: audience },
      { signal: interrupted },
    );
  } catch (error) {
    interrupted?.throwIfAborted();
    throw error;
  }
}

/** The grant without a pace at which it would be asked without end, and without a time that no timer can wait. */
export function withinBounds(grant: DeviceAuthorizationResponse): DeviceAuthorizationResponse {
  const { interval = INTERVAL_SECONDS_DEFAULT, expires_in } = grant;
  return {
    ...grant,
    interval: Math.max(interval, INTERVAL_SECONDS_MIN),
    expires_in: Math.min(expires_in, EXPIRES_SECONDS_MAX),
  };
}
