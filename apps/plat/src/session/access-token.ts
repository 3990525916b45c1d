import type { AccessTokens } from '@plat/api-client';
import { mayBeFor } from '@plat/contracts/core/token';
import type { PlatformAlias } from '../config/cloud-alias';
import { withFileLock } from '../config/file-lock';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { discoverProvider, oauthError, oidc, providerFailure, toSession } from './identity-provider';
import { readSession, removeSession, sessionPath, type StoredSession, writeSession } from './stored-session';

/** A token that expires within this time is renewed before it is used. */
const LEEWAY_MILLISECONDS = 30_000;

/**
 * The access token of the session with the alias, renewed with its refresh token if necessary.
 *
 * @throws Failure SIGNED_OUT if there is no session, or it has ended; FOREIGN_TOKEN
 */
export function accessTokens(configFolder: string, alias: PlatformAlias): Required<AccessTokens> {
  const path = sessionPath(configFolder, alias);
  const renewUnless = async (usable: (session: StoredSession) => boolean): Promise<string> => {
    const session = await readSession(path);
    if (!session) throw signedOut(alias, `You are not signed in to ${alias.name}.`);
    if (usable(session)) return session.accessToken;
    // Refresh tokens rotate: two processes with the same one would end the session for both.
    return withFileLock(`${path}.lock`, async () => {
      const latest = await readSession(path);
      if (latest && usable(latest)) return latest.accessToken;
      return (await renew(path, alias, latest)).accessToken;
    });
  };
  return {
    current: () => renewUnless(isFresh),
    after: (refused) => renewUnless((session) => session.accessToken !== refused),
  };
}

/**
 * Renews the session whether or not it has expired.
 *
 * @throws Failure SIGNED_OUT; FOREIGN_TOKEN; those of the identity provider
 */
export async function renewSession(
  configFolder: string,
  alias: PlatformAlias,
): Promise<{ before: StoredSession; after: StoredSession }> {
  const path = sessionPath(configFolder, alias);
  return withFileLock(`${path}.lock`, async () => {
    const before = await readSession(path);
    if (before === undefined) throw signedOut(alias, `You are not signed in to ${alias.name}.`);
    return { before, after: await renew(path, alias, before) };
  });
}

async function renew(
  path: string,
  alias: PlatformAlias,
  session: StoredSession | undefined,
): Promise<StoredSession> {
  if (!session?.refreshToken) throw signedOut(alias, `The session with ${alias.name} has expired.`);
  try {
    const { refreshTokenGrant } = await oidc();
    const provider = await discoverProvider(alias);
    const tokens = await refreshTokenGrant(provider, session.refreshToken, { resource: alias.audience });
    // Kept even if the access token is refused: a provider that rotates has used up the former one.
    if (tokens.refresh_token !== undefined && !mayBeFor(tokens.access_token, alias.audience)) {
      await writeSession(path, { ...session, refreshToken: tokens.refresh_token });
    }
    const renewed = toSession(tokens, alias, session);
    await writeSession(path, renewed);
    return renewed;
  } catch (error) {
    if (oauthError(error) !== 'invalid_grant') throw providerFailure(error, alias);
    await removeSession(path);
    throw signedOut(alias, `The session with ${alias.name} has ended.`);
  }
}

function isFresh(session: StoredSession): boolean {
  return Date.parse(session.expiresAt) - LEEWAY_MILLISECONDS > Date.now();
}

function signedOut(alias: PlatformAlias, why: string): Failure {
  return new Failure('SIGNED_OUT', why, { next: nextStep('plat cloud login --alias', [alias.name]) });
}
