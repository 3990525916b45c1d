import { fstatSync } from 'node:fs';

const FIRST_BYTE_MILLISECONDS_MAX = 2000;

/** The input on stdin: its text, none, or none so far although it is held open. */
export type PipedInput = { text: string } | 'none' | 'silent';

/**
 * Reads stdin to its end if it is a file or a pipe. Programs are often started with a pipe that is never written, so a
 * pipe that stays silent for two seconds is given up, unless the caller expects input.
 *
 * @param expected waits for the end without a time limit
 */
export async function pipedInput(expected: boolean): Promise<PipedInput> {
  if (!expected && !mayCarryInput()) return 'none';
  const chunks: Buffer[] = [];
  const text = new Promise<PipedInput>((resolve, reject) => {
    process.stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
    process.stdin.once('end', () => resolve(chunks.length === 0 ? 'none' : { text: joined(chunks) }));
    process.stdin.once('error', reject);
  });
  if (expected) return text;
  const began = new Promise<boolean>((resolve) => {
    process.stdin.once('data', () => resolve(true));
    process.stdin.once('end', () => resolve(true));
    setTimeout(() => resolve(false), FIRST_BYTE_MILLISECONDS_MAX).unref();
  });
  if (await began) return text;
  process.stdin.destroy();
  return 'silent';
}

function joined(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

function mayCarryInput(): boolean {
  try {
    const input = fstatSync(process.stdin.fd);
    return input.isFIFO() || input.isSocket() || input.isFile();
  } catch {
    // Closed from the start.
    return false;
  }
}
