import { rm } from 'node:fs/promises';
import { type AliasEntry, missingFields, PLATFORM_KIND, type PlatformAlias } from '../config/cloud-alias';
import { readConfig, removeAlias } from '../config/config-file';
import { signOut } from '../session/sign-out';
import { Failure } from '../terminal/failure';
import { userDirectoryPath } from './user-directory';

/** The removed alias. */
export interface ForgottenAlias {
  alias: string;
  /** Whether there was a session on this machine. */
  wasSignedIn: boolean;
  removed: true;
}

/** The alias in the configuration, complete or not. @throws Failure UNKNOWN_ALIAS */
export async function requireKnownAlias(configFolder: string, name: string): Promise<AliasEntry> {
  const { cloudAliases } = await readConfig(configFolder);
  const entry = cloudAliases.find((one) => one.name === name);
  if (entry) return entry;
  const names = cloudAliases.map((one) => one.name);
  const known = names.length === 0 ? 'none is configured' : `configured: ${names.join(', ')}`;
  throw new Failure('UNKNOWN_ALIAS', `There is no alias named ${name} (${known}).`, {
    details: { aliases: names },
    next: 'plat cloud status --all',
  });
}

/** Signs out, best effort at the provider, and removes all that this machine stores of the alias. */
export async function forgetAlias(configFolder: string, entry: AliasEntry): Promise<ForgottenAlias> {
  const isComplete = entry.kind === PLATFORM_KIND && missingFields(entry).length === 0;
  let wasSignedIn = false;
  if (isComplete) {
    const alias = entry as unknown as PlatformAlias;
    ({ wasSignedIn } = await signOut(configFolder, alias));
    await rm(userDirectoryPath(configFolder, alias), { force: true });
  }
  await removeAlias(configFolder, entry.name);
  return { alias: entry.name, wasSignedIn, removed: true };
}
