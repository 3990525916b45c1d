import { type Whoami, whoami } from '@plat/api-client';
import { type AliasEntry, missingFields, PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { readConfig } from '../config/config-file';
import { readSession, sessionPath } from '../session/stored-session';
import type { Platform } from './platform';

/** The alias in use, and the caller's identity at the platform. */
export interface AliasStatus {
  alias: string;
  apiUrl: string;
  issuer: string;
  caller: Whoami;
}

/** Asks the platform, so that the result shows whether the alias can be used. @throws Failure SIGNED_OUT */
export async function aliasStatus({ alias, api }: Platform): Promise<AliasStatus> {
  const caller = await whoami(api);
  return { alias: alias.name, apiUrl: alias.apiUrl, issuer: alias.issuer, caller };
}

/** An alias as this machine stores it. */
export interface KnownAlias {
  alias: string;
  kind: string;
  apiUrl?: string;
  /** Whether it is used if none is named. */
  isDefault: boolean;
  /** When the access token expires, in RFC 3339 UTC; absent without a session. It is renewed if possible. */
  expiresAt?: string;
}

/** Every configured alias with its session. Calls nothing. */
export async function listAliases(configFolder: string): Promise<KnownAlias[]> {
  const { cloudAliases, defaultAlias } = await readConfig(configFolder);
  const platforms = cloudAliases.filter(({ kind }) => kind === PLATFORM_KIND);
  const meant = defaultAlias ?? (platforms.length === 1 ? platforms[0]?.name : undefined);
  return Promise.all(cloudAliases.map((entry) => describeAlias(configFolder, entry, entry.name === meant)));
}

async function describeAlias(
  configFolder: string,
  entry: AliasEntry,
  isDefault: boolean,
): Promise<KnownAlias> {
  const known: KnownAlias = { alias: entry.name, kind: String(entry.kind), isDefault };
  if (typeof entry.apiUrl === 'string') known.apiUrl = entry.apiUrl;
  if (entry.kind !== PLATFORM_KIND || missingFields(entry).length > 0) return known;
  const session = await readSession(sessionPath(configFolder, entry as unknown as PlatformAlias));
  return session ? { ...known, expiresAt: session.expiresAt } : known;
}
