import { parseVerifierKey, type VerifierKey } from '@plat/ledger';
import { FileRefused, readRegularFile } from '@plat/local';
import { Failure } from '../terminal/failure';
import { Flags } from '../terminal/oclif';

/** A key has some hundred bytes, and a file a handful of them. */
const BYTES_MAX = 64 * 1024;

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

/** The trusted keys, for a command that has no other source of them. */
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
export function readKeys(given: readonly string[]): VerifierKey[] {
  return given.flatMap(readKey);
}

function readKey(given: string): VerifierKey[] {
  const asText = parsedKey(given);
  if (!(asText instanceof Error)) return [asText];
  const content = readText(given);
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

/** @returns undefined if there is no such file */
function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, { bytesMax: BYTES_MAX }).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.fault === 'absent' || error.fault === 'unreadable') return undefined;
    throw unreadable(`${JSON.stringify(path)} ${error.message}.`);
  }
}

/** A key from its text, or why it is none, as the end of a sentence. */
export function parsedKey(text: string): VerifierKey | Error {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    const { message } = error as Error;
    // The caller names the given text, and the form that it must have.
    const isOfAnotherForm = message.startsWith('The text is no key');
    return new Error(isOfAnotherForm ? 'it has another form.' : message.replace(/^The/, 'the'));
  }
}

const unreadable = (message: string): Failure =>
  new Failure('KEY_NOT_READABLE', message, {
    next: 'give the text <origin>+<8 digits>+<base64> that the platform has published, or a file with it',
  });
