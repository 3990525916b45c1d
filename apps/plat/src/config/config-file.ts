import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeInPrivateFolder } from '@plat/local';
import { Failure } from '../terminal/failure';
import type { AliasEntry, PlatformAlias } from './cloud-alias';
import { withFileLock } from './file-lock';

/** The per-user configuration. Keys unknown to this version are kept when it is written. */
export interface Config {
  cloudAliases: AliasEntry[];
  /** The alias that is used if none is named. */
  defaultAlias?: string | undefined;
  [key: string]: unknown;
}

export function configPath(configFolder: string): string {
  return join(configFolder, 'config.yaml');
}

/**
 * Reads `config.yaml`. A missing file is an empty configuration.
 *
 * @throws Failure CONFIG_UNREADABLE if it is not YAML of the expected shape
 */
export async function readConfig(configFolder: string): Promise<Config> {
  const path = configPath(configFolder);
  let text: string;
  try {
    // Every command waits for this file. A synchronous read is fastest: a promise would go to another thread four
    // times.
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { cloudAliases: [] };
    throw unreadable(path, (error as Error).message);
  }
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw unreadable(path, firstLine((error as Error).message));
  }
  return checked(path, value);
}

/** Adds the alias, or replaces the one with its name. */
export function saveAlias(configFolder: string, alias: PlatformAlias): Promise<void> {
  return changeConfig(configFolder, (config) => {
    const others = config.cloudAliases.filter((entry) => entry.name !== alias.name);
    return { ...config, cloudAliases: [...others, { ...alias }] };
  });
}

/** Removes the alias with the name, and its choice as the default. */
export function removeAlias(configFolder: string, name: string): Promise<void> {
  return changeConfig(configFolder, ({ defaultAlias, ...config }) => ({
    ...config,
    cloudAliases: config.cloudAliases.filter((entry) => entry.name !== name),
    defaultAlias: defaultAlias === name ? undefined : defaultAlias,
  }));
}

/** Chooses the alias that is used if none is named. */
export function saveDefaultAlias(configFolder: string, name: string): Promise<void> {
  return changeConfig(configFolder, (config) => ({ ...config, defaultAlias: name }));
}

async function changeConfig(configFolder: string, change: (config: Config) => Config): Promise<void> {
  await withFileLock(join(configFolder, '.config.lock'), async () => {
    const { stringify } = await import('yaml');
    const content = stringify(change(await readConfig(configFolder)));
    await writeInPrivateFolder(configPath(configFolder), content);
  });
}

function checked(path: string, value: unknown): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable(path, 'the top level is not a mapping');
  }
  const aliases = (value as Partial<Config>).cloudAliases ?? [];
  if (!Array.isArray(aliases) || !aliases.every(isEntry)) {
    throw unreadable(path, 'cloudAliases is not a list of mappings with a name');
  }
  const { defaultAlias } = value as Partial<Config>;
  if (defaultAlias !== undefined && typeof defaultAlias !== 'string') {
    throw unreadable(path, 'defaultAlias is not the name of an alias');
  }
  return { ...value, cloudAliases: aliases };
}

function isEntry(value: unknown): value is AliasEntry {
  return typeof value === 'object' && value !== null && typeof (value as AliasEntry).name === 'string';
}

/** The parser ends its first line with a colon if it goes on to show the place. */
function firstLine(message: string): string {
  const [line = ''] = message.split('\n');
  return line.trim().replace(/[:.]+$/, '');
}

function unreadable(path: string, why: string): Failure {
  return new Failure('CONFIG_UNREADABLE', `Cannot read ${path}: ${why}.`, {
    details: { path },
    next: `correct ${path}, or move it away and run: plat cloud init <alias> --api-url <url>`,
  });
}
