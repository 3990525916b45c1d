import type { PlatformAlias } from '../config/cloud-alias';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { accessTokens, renewSession } from './access-token';
import { type DevicePrompt, signInByDevice } from './device-flow';
import {
  discoverProvider,
  oauthError,
  oidc,
  providerFailure,
  SIGN_IN_SCOPE,
  toSession,
} from './identity-provider';
import { requireAudience } from './require-audience';
import { devicePrompt, type SignInPrompt } from './sign-in';
import { readSession, sessionPath } from './stored-session';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token';

/** A refresh token for another machine that acts as the same person. */
export interface SecondSession {
  refreshToken: string;
  subject?: string | undefined;
  /** `exchanged` and `signed-in`: of its own. `shared`: the host's, at a provider that does not rotate it. */
  by: 'exchanged' | 'signed-in' | 'shared';
}

export interface SecondSessionInput {
  configFolder: string;
  alias: PlatformAlias;
  /** Shows a page to the person; undefined if there is no person. */
  show?: ((prompt: SignInPrompt) => void) | undefined;
  /** Ends the wait for the person. */
  interrupted?: AbortSignal | undefined;
}

/**
 * A second refresh token for the person who is signed in on this machine. Two machines with the same rotating refresh
 * token would sign each other out, so the second one is of a grant of its own: by token exchange (RFC 8693) if the
 * provider offers it, otherwise by a sign-in that the person confirms. Without a person, the token of this machine is
 * shared if the provider has just renewed the session and left the token as it was.
 *
 * @throws Failure SIGNED_OUT; SESSION_NEEDS_PERSON; WRONG_PERSON; those of a sign-in
 */
export async function secondSession(input: SecondSessionInput): Promise<SecondSession> {
  const { configFolder, alias, show, interrupted } = input;
  const own = await readSession(sessionPath(configFolder, alias));
  const accessToken = await accessTokens(configFolder, alias).current();
  const exchanged = await exchange(alias, accessToken);
  if (exchanged !== undefined) return { refreshToken: exchanged, subject: own?.subject, by: 'exchanged' };
  if (show !== undefined) return confirmSession(alias, own?.subject, { show, interrupted });
  const { before, after } = await renewSession(configFolder, alias);
  if (after.refreshToken !== undefined && after.refreshToken === before.refreshToken) {
    return { refreshToken: after.refreshToken, subject: after.subject, by: 'shared' };
  }
  throw new Failure(
    'SESSION_NEEDS_PERSON',
    `A session of its own at ${alias.issuer} needs a person, and no one reads this output.`,
    { next: 'repeat the command on a terminal' },
  );
}

/** Undefined if the provider does not offer the exchange, or refuses it. @throws Failure FOREIGN_TOKEN */
async function exchange(alias: PlatformAlias, accessToken: string): Promise<string | undefined> {
  try {
    const { genericGrantRequest } = await oidc();
    const provider = await discoverProvider(alias);
    if (provider.serverMetadata().grant_types_supported?.includes(TOKEN_EXCHANGE) !== true) return undefined;
    const tokens = await genericGrantRequest(provider, TOKEN_EXCHANGE, {
      subject_token: accessToken,
      subject_token_type: ACCESS_TOKEN,
      requested_token_type: REFRESH_TOKEN,
      resource: alias.audience,
      scope: SIGN_IN_SCOPE,
    });
    // A provider may put the refresh token into the place of the access token (RFC 8693, 2.2.1).
    if (tokens.access_token !== tokens.refresh_token) requireAudience(tokens.access_token, alias);
    return tokens.refresh_token;
  } catch (error) {
    // Many providers offer it to some clients only.
    if (oauthError(error) !== undefined) return undefined;
    throw providerFailure(error, alias);
  }
}

type Asking = { show: (prompt: SignInPrompt) => void; interrupted: AbortSignal | undefined };

async function confirmSession(
  alias: PlatformAlias,
  subject: string | undefined,
  { show, interrupted }: Asking,
): Promise<SecondSession> {
  let session;
  try {
    const provider = await discoverProvider(alias);
    const asking = { show: (prompt: DevicePrompt) => show(devicePrompt(alias, prompt)), interrupted };
    session = toSession(await signInByDevice(provider, alias.audience, asking), alias);
  } catch (error) {
    throw providerFailure(error, alias);
  }
  if (subject !== undefined && session.subject !== undefined && session.subject !== subject) {
    throw new Failure(
      'WRONG_PERSON',
      `${session.subject} has signed in for the environment, but ${subject} is signed in on this machine.`,
      {
        next: nextStep(
          'repeat the command and sign in as',
          [subject],
          '; or change: plat cloud login --alias',
          [alias.name],
        ),
      },
    );
  }
  const { refreshToken } = session;
  if (refreshToken === undefined) {
    throw new Failure('NO_REFRESH_TOKEN', `${alias.issuer} grants no refresh token to this client.`, {
      next: 'ask the administrator of the identity provider to grant offline_access to the client',
    });
  }
  return { refreshToken, subject: session.subject ?? subject, by: 'signed-in' };
}
