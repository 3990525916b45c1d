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

/** The same for a command whose subject is not the log, with the flags without which it says nothing. */
export const logKeyFlag = (dependsOn: string[] = []) =>
  Flags.string({
    description:
      'Trusted key of the sealed log, a text or a file (repeatable; default: those of the platform)',
    helpValue: '<key>',
    multiple: true,
    dependsOn,
  });

/** The trusted keys, for a command that asks nobody else for them. */
export const requiredKeyFlag = Flags.string({
  description: DESCRIPTION,
  helpValue: '<key>',
  multiple: true,
  required: true,
});

/**
 * Reads the values of `--key` or `--log-key`: each is the text of a key, or a file with one a line.
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
    const text = JSON.stringify(given);
    // A path with a typing error has no plus; of a key it is worth saying what is wrong with it.
    throw unreadable(
      given.includes('+')
        ? `${text} is no key of a log: ${asText.message}`
        : `There is no file ${text}, and it is no key of a log either.`,
    );
  }
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw unreadable(`${given} holds no key of a log: it is empty.`);
  return lines.map((line) => {
    const key = parsedKey(line.trim());
    if (key instanceof Error) throw unreadable(`${given} holds no key of a log: ${key.message}`);
    return key;
  });
}

/** A key from its text, or why it is none, as the end of a sentence. */
export function parsedKey(text: string): VerifierKey | Error {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    const { message } = error as Error;
    // What was given and what its form is, the caller says.
    const isOfAnotherForm = message.startsWith('The text is no key');
    return new Error(isOfAnotherForm ? 'it has another form.' : message.replace(/^The/, 'the'));
  }
}

const unreadable = (message: string): Failure =>
  new Failure('KEY_NOT_READABLE', message, {
    next: 'give the text <origin>+<8 digits>+<base64> that the platform has published, or a file with it',
  });
