import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Document } from 'yaml';
import { writeInPrivateFolder } from '@plat/local';
import { Failure } from '../terminal/failure';
import { withFileLock } from './file-lock';

const KEY = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9][A-Za-z0-9_-]*)*$/;
/** Written by `cloud init`, which reads the platform first. */
const MANAGED = 'cloudAliases';

/** @param key names with dots between them; undefined: the whole file. @throws Failure INVALID_KEY, NO_SUCH_KEY */
export async function readConfigValue(path: string, key: string | undefined): Promise<unknown> {
  const content: unknown = (await readDocument(path)).toJS() ?? {};
  if (key === undefined) return content;
  const value = keyPath(key).reduce<unknown>(
    (at, name) => (isMapping(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    content,
  );
  if (value !== undefined) return value;
  throw new Failure('NO_SUCH_KEY', `${path} has no ${key}.`, { next: `plat config set ${key} <value>` });
}

/**
 * Sets one value, read as YAML. Comments and the rest of the file stay as they are.
 *
 * @returns the parsed value
 * @throws Failure INVALID_KEY, MANAGED_KEY, INVALID_VALUE
 */
export async function writeConfigValue(path: string, key: string, text: string): Promise<unknown> {
  const names = keyPath(key);
  if (names[0] === MANAGED) {
    throw new Failure('MANAGED_KEY', `${MANAGED} is written by plat cloud init.`, {
      next: 'plat cloud init <alias> --api-url <url>',
    });
  }
  const { parseDocument } = await import('yaml');
  const value = parseDocument(text);
  if (value.errors.length > 0) {
    throw new Failure('INVALID_VALUE', `${JSON.stringify(text)} is no YAML value.`, {
      next: 'put text in quotes',
    });
  }
  await withFileLock(join(dirname(path), '.config.lock'), async () => {
    const document = await readDocument(path);
    const blocked = names.slice(0, -1).find((_name, at) => {
      const there: unknown = document.getIn(names.slice(0, at + 1));
      return there !== undefined && typeof there !== 'object';
    });
    if (blocked !== undefined) {
      throw new Failure('INVALID_KEY', `${blocked} is a value in ${path}, so it has no keys.`);
    }
    document.setIn(names, value.toJS());
    await writeInPrivateFolder(path, document.toString());
  });
  return value.toJS();
}

async function readDocument(path: string): Promise<Document> {
  const { parseDocument } = await import('yaml');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const document = parseDocument(text);
  const content: unknown = document.errors.length === 0 ? document.toJS() : undefined;
  if (content === null || isMapping(content)) return document;
  throw new Failure('CONFIG_UNREADABLE', `${path} is not a YAML mapping.`, {
    details: { path },
    next: `correct ${path}, or move it away`,
  });
}

function keyPath(key: string): string[] {
  if (KEY.test(key)) return key.split('.');
  throw new Failure('INVALID_KEY', `${JSON.stringify(key)} is not a key.`, {
    next: 'give names with dots between them, such as platform.servicesZone',
  });
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
