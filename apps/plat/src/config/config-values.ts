import { describeFault } from '@plat/environments';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { type ConfigDocument, isMapping, readConfigDocument, removeField } from './config-document';
import { type ConfigScope, levelOf, scopedConfigPath } from './config-scope';
import { changeConfigFile } from './config-store';

const KEY = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9][A-Za-z0-9_-]*)*$/;
const KEY_LENGTH_MAX = 1024;
/** Written by `cloud init`, which reads the platform first. */
const MANAGED = 'cloudAliases';

/** @param key names with dots between them; undefined: the whole file. @throws Failure INVALID_KEY, NO_SUCH_KEY */
export async function readConfigValue(path: string, key: string | undefined): Promise<unknown> {
  const { content } = await readConfigDocument(path);
  if (key === undefined) return content;
  const value = keyPath(key).reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    content,
  );
  if (value !== undefined) return value;
  throw new Failure('NO_SUCH_KEY', `${path} has no ${key}.`, {
    next: nextStep('plat config set', [key], '<value>'),
  });
}

/** A value of a scope's file. */
export interface ConfigKey {
  configFolder: string;
  scope: ConfigScope;
  /** Names with dots between them. */
  key: string;
  /** Makes every check, and writes nothing. Rule G2. */
  dryRun?: boolean;
}

/** A value to be written, as text of YAML. */
export interface ValueToWrite extends ConfigKey {
  text: string;
  allowUnknown: boolean;
}

/** The value that was written, and remarks for the user. */
export interface WrittenValue {
  path: string;
  value: unknown;
  /** Sentences about keys that this version does not know. */
  warnings: string[];
}

/**
 * Sets one value, read as YAML. Comments and the rest of the file stay as they are.
 *
 * @param allowUnknown keeps a key that this version does not know, with a warning, instead of refusing it
 * @throws Failure INVALID_KEY, MANAGED_KEY, UNKNOWN_KEY, UNKNOWN_ALIAS, INVALID_VALUE with field and value
 */
export async function writeConfigValue({ text, allowUnknown, ...at }: ValueToWrite): Promise<WrittenValue> {
  const { scope, key } = at;
  const names = changeableKey(key);
  const value = await yamlValue(text);
  const warnings: string[] = [];
  const path = await changeValue(at, async (file) => {
    requireMappings(file, names);
    file.document.setIn(names, value);
    const content = file.document.toJS() as Record<string, unknown>;
    // Loaded only here, because of the library of the schemas.
    const { checkDocument } = await import('./config-check.js');
    const { requireKnownAlias, unknownKey } = await import('./known-keys.js');
    const found = checkDocument(levelOf(scope), { ...file, content });
    const own = found.faults.filter(({ field }) => concerns(field, key));
    if (own.length > 0) throw invalidValue(own.map(({ message }) => message));
    // A key below an unknown mapping is unknown by that mapping.
    const unknown = found.warnings.filter(({ field }) => concerns(field, key) || concerns(key, field));
    if (unknown.length > 0 && !allowUnknown) throw unknownKey(levelOf(scope), key, value);
    if (key === 'defaultAlias') requireKnownAlias(content, value);
    warnings.push(...unknown.map(({ message }) => `${message} of ${file.path}.`));
  });
  return { path, value, warnings };
}

/** Removes one value and the mappings that it leaves empty. @throws Failure INVALID_KEY, MANAGED_KEY, NO_SUCH_KEY */
export async function removeConfigValue(at: ConfigKey): Promise<{ path: string }> {
  const names = changeableKey(at.key);
  const path = await changeValue(at, async ({ document, path }) => {
    const { isMap } = await import('yaml');
    if (!document.hasIn(names)) throw new Failure('NO_SUCH_KEY', `${path} has no ${at.key}.`);
    await removeField(document, names);
    for (let above = names.slice(0, -1); above.length > 0; above = above.slice(0, -1)) {
      const left = document.getIn(above);
      if (!isMap(left) || left.items.length > 0) break;
      await removeField(document, above);
    }
  });
  return { path };
}

/** Changes the scope's file. @returns its path */
async function changeValue(
  { configFolder, scope, dryRun }: ConfigKey,
  change: (file: ConfigDocument) => Promise<void>,
): Promise<string> {
  const path = scopedConfigPath(configFolder, scope);
  if (dryRun === true) await change(await readConfigDocument(path));
  else await changeConfigFile({ configFolder, path }, change);
  return path;
}

/** The names of a key that a user may change. @throws Failure INVALID_KEY, MANAGED_KEY */
function changeableKey(key: string): string[] {
  const names = keyPath(key);
  if (names[0] !== MANAGED) return names;
  throw new Failure('MANAGED_KEY', `${MANAGED} is written by plat cloud init.`, {
    next: 'plat cloud init <alias> --api-url <url>',
  });
}

async function yamlValue(text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  if (document.errors.length === 0) return document.toJS();
  throw new Failure(
    'INVALID_VALUE',
    `${describeFault({ field: 'The value', value: text, why: 'is no YAML' })}.`,
    {
      next: 'put text in quotes',
    },
  );
}

/** Refuses a key below a value that is not a mapping. @throws Failure INVALID_KEY */
function requireMappings({ document, path }: ConfigDocument, names: readonly string[]): void {
  const content: unknown = document.toJS();
  let at: unknown = content;
  for (const [place, name] of names.slice(0, -1).entries()) {
    at = isMapping(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    if (at === undefined) return;
    const blocked = names.slice(0, place + 1);
    // A YAML alias stands for a mapping elsewhere in the file. A change to that mapping is not intended.
    if (isMapping(at) && !isAlias(document.getIn(blocked, true))) continue;
    throw new Failure('INVALID_KEY', `${blocked.join('.')} is a value in ${path}, so it has no keys.`);
  }
}

const isAlias = (node: unknown) =>
  typeof node === 'object' && node !== null && 'source' in node && !('value' in node);

/** Whether a field is the key, or lies below it. */
function concerns(field: string, key: string): boolean {
  return field === key || field.startsWith(`${key}.`) || field.startsWith(`${key}[`);
}

function invalidValue(messages: readonly string[]): Failure {
  return new Failure('INVALID_VALUE', `${messages.join('; ')}.`, {
    next: 'give a value of that kind; docs/environment-config.md lists the fields',
  });
}

function keyPath(key: string): string[] {
  if (key.length <= KEY_LENGTH_MAX && KEY.test(key)) return key.split('.');
  throw new Failure(
    'INVALID_KEY',
    `${describeFault({ field: 'The text', value: key, why: 'is not a key' })}.`,
    {
      next: 'give names with dots between them, such as idle.timeout',
    },
  );
}
