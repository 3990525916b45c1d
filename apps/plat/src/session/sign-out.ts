import type { PlatformAlias } from '../config/cloud-alias';
import { withFileLock } from '../config/file-lock';
import { discoverProvider, oidc } from './identity-provider';
import { readSession, removeSession, sessionPath } from './stored-session';

export interface SignedOut {
  alias: string;
  /** Whether there was a session on this machine. */
  wasSignedIn: boolean;
  /** Whether the identity provider confirmed the revocation of the refresh token. */
  revoked: boolean;
}

/** Removes the session, and asks the provider to revoke its refresh token (RFC 7009), best effort. */
export async function signOut(configFolder: string, alias: PlatformAlias): Promise<SignedOut> {
  const path = sessionPath(configFolder, alias);
  const session = await withFileLock(`${path}.lock`, async () => {
    const stored = await readSession(path);
    await removeSession(path);
    return stored;
  });
  const revoked = session?.refreshToken !== undefined && (await revoke(alias, session.refreshToken));
  return { alias: alias.name, wasSignedIn: session !== undefined, revoked };
}

/** Asks the provider to revoke a refresh token (RFC 7009). @returns whether it confirmed that */
export async function revoke(alias: PlatformAlias, refreshToken: string): Promise<boolean> {
  try {
    const { tokenRevocation } = await oidc();
    await tokenRevocation(await discoverProvider(alias), refreshToken, { token_type_hint: 'refresh_token' });
    return true;
  } catch {
    return false;
  }
}
