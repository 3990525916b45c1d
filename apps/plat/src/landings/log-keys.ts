import { readFile } from 'node:fs/promises';
import { type ApiClient, listAuditLogKeys } from '@plat/api-client';
import { parseVerifierKey, type VerifierKey } from '@plat/ledger';
import { Failure } from '../terminal/failure';

/**
 * The trusted keys of a log, each given as a text or as a file of such texts.
 *
 * @throws Failure LOG_KEY_NOT_READABLE
 */
export async function pinnedLogKeys(given: readonly string[]): Promise<VerifierKey[]> {
  return (await Promise.all(given.map(keysOf))).flat();
}

/** The keys of the caller's log, as the platform names them. @throws ApiFault NOT_IMPLEMENTED, NOT_FOUND, FORBIDDEN */
export async function platformLogKeys(api: ApiClient): Promise<VerifierKey[]> {
  const { keys } = await listAuditLogKeys(api);
  return keys.map(({ verifierKey }) => readKey(verifierKey, 'the platform'));
}

async function keysOf(given: string): Promise<VerifierKey[]> {
  if (/^\S+\+[0-9a-f]{8}\+\S+$/.test(given)) return [readKey(given, 'the text')];
  const text = await readFile(given, 'utf8').catch((error: Error) => {
    throw notReadable(given, error.message);
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw notReadable(given, 'it is empty');
  return lines.map((line) => readKey(line.trim(), given));
}

function readKey(text: string, from: string): VerifierKey {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    throw notReadable(from, (error as Error).message);
  }
}

const notReadable = (from: string, why: string): Failure =>
  new Failure('LOG_KEY_NOT_READABLE', `${from} gives no key of a log: ${why}`, {
    next: 'give a verifierKey of GET /v1/audit-log/keys that you trust, or a file with one',
  });
