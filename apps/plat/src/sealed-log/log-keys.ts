import { readFile } from 'node:fs/promises';
import { parseVerifierKey, type VerifierKey } from '@plat/ledger';
import { Failure } from '../terminal/failure';
import { Flags } from '../terminal/oclif';

const DESCRIPTION = 'Key that may sign the log, or a file with one, repeatable';

/** The trusted keys, if the command works without them too. */
export const keyFlag = Flags.string({
  description: `${DESCRIPTION} (default: the keys of the platform)`,
  helpValue: '<key>',
  multiple: true,
});

/** The trusted keys, for a command that asks nobody else for them. */
export const requiredKeyFlag = Flags.string({
  description: DESCRIPTION,
  helpValue: '<key>',
  multiple: true,
  required: true,
});

/**
 * Reads the values of `--key`: each is the text of a key, or a file with one a line.
 *
 * @throws Failure KEY_NOT_READABLE
 */
export async function readKeys(given: readonly string[]): Promise<VerifierKey[]> {
  const keys = await Promise.all(given.map(readKey));
  return keys.flat();
}

async function readKey(given: string): Promise<VerifierKey[]> {
  const asText = parsedKey(given);
  if (!(asText instanceof Error)) return [asText];
  const content = await readFile(given, 'utf8').catch(() => undefined);
  if (content === undefined) {
    throw unreadable(`--key ${JSON.stringify(given)} is no file, and no key: ${asText.message}`);
  }
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw unreadable(`${given} holds no key of a log: it is empty.`);
  return lines.map((line) => {
    const key = parsedKey(line.trim());
    if (key instanceof Error) throw unreadable(`${given} holds no key of a log: ${key.message}`);
    return key;
  });
}

/** A key from its text, or why it is none. */
export function parsedKey(text: string): VerifierKey | Error {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    return error as Error;
  }
}

const unreadable = (message: string): Failure =>
  new Failure('KEY_NOT_READABLE', message, {
    next: 'give --key the text <origin>+<8 digits>+<base64> that the platform has published, or a file with it',
  });
