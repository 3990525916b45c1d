import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFunctionFiles, schemaSource } from '@plat/database';

const RECORD = 'libs/database/functions.json';

/** The state of all functions: how often it changed, and the digest of all files. */
export interface FunctionsRecord {
  revision: number;
  sha256: string;
}

/**
 * The record of the functions, whose revision rises with each change of a file. By it a service knows that the functions
 * of a database are too old, and a migration of an older release leaves those of a newer one.
 */
export async function readFunctionsRecord(root: string): Promise<FunctionsRecord> {
  const files = await readFunctionFiles(schemaSource(root).functionsDir);
  const lines = files.map(({ name, sha256 }) => `${name} ${sha256}\n`).sort();
  const sha256 = createHash('sha256').update(lines.join('')).digest('hex');
  const noted = await readNoted(root);
  return noted.sha256 === sha256 ? noted : { revision: noted.revision + 1, sha256 };
}

export const renderFunctionsRecord = (record: FunctionsRecord): Record<string, string> => ({
  [RECORD]: `${JSON.stringify(record, null, 2)}\n`,
});

async function readNoted(root: string): Promise<FunctionsRecord> {
  const text = await readFile(join(root, RECORD), 'utf8').catch(() => undefined);
  return text === undefined ? { revision: 0, sha256: '' } : (JSON.parse(text) as FunctionsRecord);
}
