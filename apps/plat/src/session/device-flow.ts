import type { Configuration } from 'openid-client';
import { oidc, SIGN_IN_SCOPE, type Tokens } from './identity-provider';

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
      grant,
      { resource: audience },
      { signal: interrupted },
    );
  } catch (error) {
    interrupted?.throwIfAborted();
    throw error;
  }
}
