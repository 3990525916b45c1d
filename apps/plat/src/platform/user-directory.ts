import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, listUsers, type User, whoami } from '@plat/api-client';
import { writeInPrivateFolder } from '@plat/local';
import type { PlatformAlias } from '../config/cloud-alias';
import { apiFailure } from '../failures/api-failure';
import { aliasFileName } from '../session/stored-session';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { printableLine } from '../terminal/printable';
import type { Platform } from './platform';

/** The users of the alias's tenant when this machine last read them. Rule G4. */
export interface UserDirectory {
  /** RFC 3339 UTC. */
  readAt: string;
  users: User[];
}

/** The cached directory, or undefined if none was read yet. Calls nothing. */
export async function readCachedUsers(
  configFolder: string,
  alias: PlatformAlias,
): Promise<UserDirectory | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(userDirectoryPath(configFolder, alias), 'utf8'));
    return isDirectory(value) ? value : undefined;
  } catch (error) {
    // A file that is not JSON is a lost cache, which a refresh replaces.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads and stores the users of the caller's own tenant. Users of other tenants that the caller may read are not
 * stored.
 */
export async function refreshUsers(
  configFolder: string,
  alias: PlatformAlias,
  api: ApiClient,
): Promise<UserDirectory> {
  const [{ tenantId }, users] = await Promise.all([whoami(api), listUsers(api)]);
  const own = users.filter((user) => user.tenantId === tenantId);
  const directory: UserDirectory = { readAt: new Date().toISOString(), users: own };
  await writeInPrivateFolder(userDirectoryPath(configFolder, alias), `${JSON.stringify(directory)}\n`);
  return directory;
}

/**
 * Refreshes the directory, best effort: a caller who may not list users is still signed in. Rule G4.
 *
 * @returns the reason why it was not read, in words for a terminal; undefined if it was
 */
export async function fillUserDirectory(
  configFolder: string,
  { alias, api }: Platform,
): Promise<string | undefined> {
  try {
    await refreshUsers(configFolder, alias, api);
    return undefined;
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    return printableLine(`The directory of users was not read: ${failure.message}`);
  }
}

/**
 * The user of the alias's tenant with an id or a name, by the cached directory alone.
 *
 * @throws Failure USER_NOT_IN_TENANT, without a call
 */
export async function requireTenantUser(
  configFolder: string,
  alias: PlatformAlias,
  user: string,
): Promise<User> {
  const directory = await readCachedUsers(configFolder, alias);
  const wanted = user.toLowerCase();
  const found = directory?.users.find(({ userId, username }) => userId === wanted || username === user);
  if (found) return found;
  const known = directory ? `as it was read at ${directory.readAt}` : 'which was not read yet';
  throw new Failure(
    'USER_NOT_IN_TENANT',
    `${JSON.stringify(user)} is not in the directory of your tenant's users, ${known}.`,
    { details: { user }, next: nextStep('plat cloud users --refresh --alias', [alias.name]) },
  );
}

/** The path of the cached directory of an alias's tenant. */
export function userDirectoryPath(configFolder: string, alias: PlatformAlias): string {
  return join(configFolder, 'users', `${aliasFileName(alias)}.json`);
}

function isDirectory(value: unknown): value is UserDirectory {
  if (typeof value !== 'object' || value === null) return false;
  const { readAt, users } = value as Partial<UserDirectory>;
  return typeof readAt === 'string' && Array.isArray(users) && users.every(isUser);
}

function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false;
  const { userId, username } = value as Partial<User>;
  return typeof userId === 'string' && typeof username === 'string';
}
