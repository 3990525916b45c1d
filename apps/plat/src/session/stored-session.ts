import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import type { PlatformAlias } from '../config/cloud-alias';
import { Failure } from '../terminal/failure';
import { hideInOutput } from '../terminal/hidden-secrets';
import { nextStep } from '../terminal/next-step';

/** The stored result of a sign-in. It is a secret: mode 0600 in a 0700 folder. Rule G3. */
export interface StoredSession {
  accessToken: string;
  /** Absent if the identity provider grants none; the session then ends with its access token. */
  refreshToken?: string;
  /** RFC 3339 UTC: when the access token expires. */
  expiresAt: string;
  /** The subject at the identity provider, if it was reported. */
  subject?: string | undefined;
}

/**
 * The file of the alias's session. Its name depends on the platform's addresses, so that an alias that is changed to
 * another platform never sends the tokens there.
 */
export function sessionPath(configFolder: string, alias: PlatformAlias): string {
  return join(configFolder, 'sessions', `${aliasFileName(alias)}.json`);
}

/** A file name for data of an alias. It changes if the alias points to another platform. */
export function aliasFileName(alias: PlatformAlias): string {
  const identity = [alias.name, alias.apiUrl, alias.audience, alias.issuer, alias.clientId].join('\n');
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}

/** Longest session, in bytes: it has two tokens, of some kilobytes each. */
const SESSION_BYTES_MAX = 1024 * 1024;

/**
 * The stored session, or undefined if there is none that can be used.
 *
 * @throws Failure SESSION_UNREADABLE, such as for a pipe in its place, for which it does not wait
 */
export async function readSession(path: string): Promise<StoredSession | undefined> {
  try {
    const value: unknown = JSON.parse(
      readRegularFile(path, { bytesMax: SESSION_BYTES_MAX }).toString('utf8'),
    );
    return isSession(value) ? hidden(value) : undefined;
  } catch (error) {
    // A file that is not JSON is a lost sign-in, which the next sign-in replaces.
    if (error instanceof SyntaxError) return undefined;
    if (!(error instanceof FileRefused)) throw error;
    if (error.fault === 'absent') return undefined;
    throw new Failure('SESSION_UNREADABLE', `The session ${path} ${error.message}.`, {
      next: nextStep(
        'move',
        [path],
        'away, or make it readable to your user, then sign in: plat cloud login',
      ),
    });
  }
}

export async function writeSession(path: string, session: StoredSession): Promise<void> {
  await writeInPrivateFolder(path, `${JSON.stringify(hidden(session))}\n`);
}

/** Every token that is sent was read or written here. */
function hidden(session: StoredSession): StoredSession {
  hideInOutput(session.accessToken);
  if (session.refreshToken !== undefined) hideInOutput(session.refreshToken);
  return session;
}

/** Removes the session, if there is one. */
export async function removeSession(path: string): Promise<void> {
  await rm(path, { force: true });
}

function isSession(value: unknown): value is StoredSession {
  if (typeof value !== 'object' || value === null) return false;
  const { accessToken, expiresAt, refreshToken } = value as Partial<StoredSession>;
  return (
    typeof accessToken === 'string' &&
    typeof expiresAt === 'string' &&
    !Number.isNaN(Date.parse(expiresAt)) &&
    (refreshToken === undefined || typeof refreshToken === 'string')
  );
}
