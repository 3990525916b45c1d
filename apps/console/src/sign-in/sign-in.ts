import {
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  type Client,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi';
import { SIGNED_IN_PATH } from '@plat/console/places';
import { mayBeFor } from '@plat/contracts/core/token';
import type { Token } from '../session/session';
import { discover, type ProviderFacts, requestOptions, signInPage } from './provider';

/** The API's default for a token that says nothing of its end. */
const LIFETIME_SECONDS_ASSUMED = 300;

/** A sign-in that has begun. Its verifier, state and nonce are in memory, so only this page can finish it. */
export interface PreparedSignIn {
  /** The provider's page on which the person signs in. */
  address: string;
  /** Recognizes what the provider returns for this sign-in. */
  state: string;
  /**
   * Takes what the provider added to the redirect.
   *
   * @throws Error if the provider refused, an answer is not its own, or the token is for another API
   */
  finish(search: string): Promise<Token>;
}

/** The page to which the provider returns; registered there as it is. */
export const redirectUri = (): string => `${location.origin}${SIGNED_IN_PATH}`;

/**
 * Begins a sign-in by authorization code with PKCE (RFC 7636) as a public client.
 *
 * @param again whether the provider is to ask who it is, although it may still know: after a sign-out
 */
export async function prepareSignIn(facts: ProviderFacts, again: boolean): Promise<PreparedSignIn> {
  const server = await discover(facts);
  const secrets = {
    verifier: generateRandomCodeVerifier(),
    state: generateRandomState(),
    nonce: generateRandomNonce(),
  };
  const address = signInPage(server);
  const parameters = {
    response_type: 'code',
    client_id: facts.clientId,
    redirect_uri: redirectUri(),
    scope: 'openid',
    resource: facts.audience,
    code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    state: secrets.state,
    nonce: secrets.nonce,
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  if (again) address.searchParams.set('prompt', 'login');
  return {
    address: address.href,
    state: secrets.state,
    finish: (search) => exchange({ server, facts, secrets }, search),
  };
}

interface Begun {
  server: AuthorizationServer;
  facts: ProviderFacts;
  secrets: { verifier: string; state: string; nonce: string };
}

async function exchange({ server, facts, secrets }: Begun, search: string): Promise<Token> {
  const client: Client = { client_id: facts.clientId };
  const returned = validateAuthResponse(server, client, new URLSearchParams(search), secrets.state);
  const askedAt = Date.now();
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    None(),
    returned,
    redirectUri(),
    secrets.verifier,
    { additionalParameters: { resource: facts.audience }, ...requestOptions(facts.issuer) },
  );
  const { access_token: value, expires_in: seconds = LIFETIME_SECONDS_ASSUMED } =
    await processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: secrets.nonce,
      requireIdToken: true,
    });
  // A provider that ignores `resource` issues such a token. An opaque token does not say what it is for, so it passes.
  if (!mayBeFor(value, facts.audience)) {
    throw new Error(
      `the identity provider has issued a token for another API, and not for ${facts.audience}`,
    );
  }
  return { value, endsAt: askedAt + seconds * 1000 };
}
