import type {
  Configuration,
  CustomFetch,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from 'openid-client';
import { boundFetch } from '@plat/api-client';
import type { PlatformAlias } from '../config/cloud-alias';
import { isLoopback, serviceAddress } from '../config/service-address';
import { causeCode, innermostCause, untrustedCertificate } from '../failures/untrusted-certificate';
import { Failure } from '../terminal/failure';
import { hideInOutput } from '../terminal/hidden-secrets';
import { nextStep } from '../terminal/next-step';
import { trace } from '../terminal/trace';
import { requireOwnEndpoints } from './own-endpoints';
import { requireAudience } from './require-audience';
import type { StoredSession } from './stored-session';

/** `offline_access` asks for a refresh token. */
export const SIGN_IN_SCOPE = 'openid offline_access';

/** Used if a provider does not report the lifetime of its access token. */
const EXPIRES_IN_SECONDS_DEFAULT = 300;

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The OIDC client library, loaded only for a sign-in or a refresh, because most commands do without it. */
export function oidc(): Promise<typeof import('openid-client')> {
  return import('openid-client');
}

/** Longest wait for an answer of the provider, in seconds. */
const ANSWER_SECONDS_MAX = 30;

/**
 * Reads the provider's discovery document.
 *
 * @throws Failure IDENTITY_PROVIDER_FAILED if it does not come in time; FOREIGN_SIGN_IN; otherwise the library's error
 */
export async function discoverProvider(
  alias: PlatformAlias,
  secondsMax = ANSWER_SECONDS_MAX,
): Promise<Configuration> {
  const { discovery, None, allowInsecureRequests, customFetch } = await oidc();
  const issuer = new URL(serviceAddress(alias.issuer, `The issuer of the alias ${alias.name}`));
  const execute = isLoopback(issuer.hostname) ? [allowInsecureRequests] : [];
  let asked = issuer.href;
  const fetch: CustomFetch = (address, request) => {
    asked = address;
    return providerFetch(address, request);
  };
  try {
    const client = { token_endpoint_auth_method: 'none' };
    const provider = await discovery(issuer, alias.clientId, client, None(), {
      execute,
      [customFetch]: fetch,
      timeout: secondsMax,
    });
    requireOwnEndpoints(alias, provider.serverMetadata());
    return provider;
  } catch (error) {
    // A sign-in ends by such an error as well, if the person does not complete it.
    if (!isTimeout(error)) throw error;
    throw unusable(alias, `${asked} did not answer within ${secondsMax} seconds.`);
  }
}

/** Longest answer of a provider, in bytes. Its documents and tokens have a few kilobytes. */
const ANSWER_BYTES_MAX = 1024 * 1024;

const fetchBounded = boundFetch(ANSWER_BYTES_MAX);

/** Calls the provider as the platform is called. Traces the calls without their bodies, which contain codes and tokens. */
const providerFetch: CustomFetch = async (address, request) => {
  const began = Date.now();
  trace(request.method, address);
  const answer = await fetchBounded(address, request);
  trace(`answered ${answer.status} after ${Date.now() - began} ms`);
  return answer;
};

/**
 * @param previous the refreshed session; a provider need not repeat values that did not change
 * @throws Failure FOREIGN_TOKEN
 */
export function toSession(tokens: Tokens, alias: PlatformAlias, previous?: StoredSession): StoredSession {
  requireAudience(tokens.access_token, alias);
  const seconds = tokens.expiresIn() ?? EXPIRES_IN_SECONDS_DEFAULT;
  const refreshToken = tokens.refresh_token ?? previous?.refreshToken;
  const subject = tokens.claims()?.sub ?? previous?.subject;
  if (refreshToken !== undefined) hideInOutput(refreshToken);
  return {
    accessToken: hideInOutput(tokens.access_token),
    expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
    refreshToken,
    subject,
  };
}

/** The OAuth error code of the library's error, for example `access_denied`, if the provider sent one. */
export function oauthError(error: unknown): string | undefined {
  const code = (error as { error?: unknown }).error;
  return typeof code === 'string' ? code : undefined;
}

/** Converts the library's error to a failure with the next step. Its messages contain no tokens. */
export function providerFailure(error: unknown, alias: PlatformAlias): Failure {
  if (error instanceof Failure) return error;
  const code = oauthError(error);
  const next = nextStep('plat cloud login --alias', [alias.name]);
  if (code === 'access_denied') return new Failure('SIGN_IN_DENIED', 'The sign-in was refused.', { next });
  if (code === 'expired_token' || isTimeout(error)) {
    return new Failure('SIGN_IN_EXPIRED', 'No one completed the sign-in in time.', { next });
  }
  if (code !== undefined) {
    const description = (error as { error_description?: unknown }).error_description;
    const why = typeof description === 'string' ? `${code}: ${description}` : code;
    return new Failure('SIGN_IN_FAILED', `The identity provider refused (${why}).`, {
      details: { error: code },
      next,
    });
  }
  const untrusted = untrustedCertificate(alias.issuer, causeCode(error));
  if (untrusted !== undefined) return untrusted;
  return unusable(alias, `No usable answer from ${alias.issuer}: ${reason(error)}.`);
}

const unusable = ({ issuer }: PlatformAlias, message: string): Failure =>
  new Failure('IDENTITY_PROVIDER_FAILED', message, {
    details: { issuer },
    next: 'check the network, then repeat the command',
  });

type Caused = { name?: string; cause?: unknown } | undefined;

function isTimeout(error: unknown): boolean {
  for (let cause = error as Caused; cause; cause = cause.cause as Caused) {
    if (cause.name === 'TimeoutError') return true;
  }
  return false;
}

function reason(error: unknown): string {
  const cause = innermostCause(error);
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
