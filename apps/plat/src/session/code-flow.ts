import type { Configuration } from 'openid-client';
import { Failure } from '../terminal/failure';
import { oidc, SIGN_IN_SCOPE, type Tokens } from './identity-provider';
import { listenForRedirect } from './redirect-listener';

/** Longest time for the person, in milliseconds: the usual lifetime of device codes. */
const PERSON_MILLISECONDS_MAX = 10 * 60_000;

/**
 * Authorization code flow with PKCE, answered on loopback (RFC 8252). The browser must run on this machine.
 * Spec: Client, Authentication, rule 3.
 *
 * @param audience resource indicator of the API.
 * @param show called once with the page to open
 * @throws Failure SIGN_IN_EXPIRED after ten minutes.
 */
export async function signInByCode(
  provider: Configuration,
  audience: string,
  show: (address: string) => void,
): Promise<Tokens> {
  const client = await oidc();
  const [pkceCodeVerifier, state, nonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ];
  const listener = await listenForRedirect(state);
  try {
    const address = client.buildAuthorizationUrl(provider, {
      redirect_uri: listener.redirectUri,
      scope: SIGN_IN_SCOPE,
      resource: audience,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      // OpenID Connect, section 11: offline access requires the person's consent.
      prompt: 'consent',
    });
    show(address.href);
    const answer = await beforeDeadline(listener.redirected);
    const checks = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    return await client.authorizationCodeGrant(provider, answer, checks, { resource: audience });
  } finally {
    listener.close();
  }
}

async function beforeDeadline(answer: Promise<URL>): Promise<URL> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    const expired = new Failure('SIGN_IN_EXPIRED', 'No one completed the sign-in in time.', {
      next: 'plat cloud login --flow code',
    });
    timer = setTimeout(() => reject(expired), PERSON_MILLISECONDS_MAX);
  });
  return Promise.race([answer, deadline]).finally(() => clearTimeout(timer));
}
