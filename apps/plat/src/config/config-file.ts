import { join } from 'node:path';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { AliasEntry, PlatformAlias } from './cloud-alias';
import { type ConfigDocument, readConfigText, removeField } from './config-document';
import { changeConfigFile } from './config-store';

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
  const text = readConfigText(path);
  if (text === undefined) return { cloudAliases: [] };
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw unreadableConfig(path, firstLine((error as Error).message));
  }
  return checked(path, value);
}

/** Adds the alias, or replaces the one with its name. */
export function saveAlias(configFolder: string, alias: PlatformAlias): Promise<void> {
  return changeConfig(configFolder, ({ document }, { cloudAliases }) => {
    const place = cloudAliases.findIndex(({ name }) => name === alias.name);
    document.setIn(['cloudAliases', place < 0 ? cloudAliases.length : place], { ...alias });
  });
}

/** Removes the alias with the name, and its choice as the default. */
export function removeAlias(configFolder: string, name: string): Promise<void> {
  return changeConfig(configFolder, async ({ document }, { cloudAliases, defaultAlias }) => {
    for (const place of cloudAliases.map((_entry, at) => at).reverse()) {
      if (cloudAliases[place]?.name === name) document.deleteIn(['cloudAliases', place]);
    }
    if (defaultAlias === name) await removeField(document, ['defaultAlias']);
  });
}

/** Chooses the alias that is used if none is named. */
export function saveDefaultAlias(configFolder: string, name: string): Promise<void> {
  return changeConfig(configFolder, ({ document }) => document.set('defaultAlias', name));
}

/** Changes the user's file. Comments and other keys stay. */
function changeConfig(
  configFolder: string,
  change: (file: ConfigDocument, config: Config) => void | Promise<void>,
): Promise<void> {
  const path = configPath(configFolder);
  return changeConfigFile({ configFolder, path }, (file) => {
    const config = checked(path, file.content);
    if (config.cloudAliases.length === 0) file.document.set('cloudAliases', file.document.createNode([]));
    return change(file, config);
  });
}

function checked(path: string, value: unknown): Config {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadableConfig(path, 'the top level is not a mapping');
  }
  const aliases = (value as Partial<Config>).cloudAliases ?? [];
  if (!Array.isArray(aliases) || !aliases.every(isEntry)) {
    throw unreadableConfig(path, 'cloudAliases is not a list of mappings with a name');
  }
  const { defaultAlias } = value as Partial<Config>;
  if (defaultAlias !== undefined && typeof defaultAlias !== 'string') {
    throw unreadableConfig(path, 'defaultAlias is not the name of an alias');
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

/** Without the file there is no alias, so the next step also names the command that creates one. */
function unreadableConfig(path: string, why: string): Failure {
  return new Failure('CONFIG_UNREADABLE', `Cannot read ${path}: ${why}.`, {
    details: { path },
    next: nextStep('correct', [path], ', or move it away and run: plat cloud init <alias> --api-url <url>'),
  });
}
