import { createInterface } from 'node:readline/promises';
import { printableText } from './printable';

/** Whether a person can be asked: reads what is typed on a terminal, and sees the question. */
export function canAsk(environment: { idleProbe: boolean }): boolean {
  return !environment.idleProbe && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/**
 * Asks on stderr and reads one line.
 *
 * @returns undefined if the input ends
 * @throws the reason of the aborted signal
 */
export async function ask(question: string, interrupted: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
    // In its raw mode the library gets Ctrl-C as a key, and the process no signal.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    return await Promise.race([
      lines.question(`${printableText(question)} `, { signal: interrupted }),
      ended,
    ]);
  } catch (error) {
    interrupted.throwIfAborted();
    throw error;
  } finally {
    lines.close();
  }
}

/** Asks for yes or no; any other answer is no. */
export async function askYesNo(question: string, interrupted: AbortSignal): Promise<boolean> {
  return /^y(?:es)?$/i.test(((await ask(`${question} [y/N]`, interrupted)) ?? '').trim());
}
