import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenTerminal } from './pod-snapshot';
import { SYSTEM_FOLDERS } from './read-pod';

/** Never waits for a terminal whose output is held, and does not make it this process's own. */
const FLAGS = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Writes a line to terminals. One that cannot be written, or was closed meanwhile, is left out. */
export async function warnTerminals(
  terminals: readonly OpenTerminal[],
  line: string,
  folder = SYSTEM_FOLDERS.terminals,
): Promise<void> {
  const writes = terminals.map(async ({ number }) => {
    const file = await open(join(folder, String(number)), FLAGS);
    try {
      await file.write(`\r\n${line}\r\n`);
    } finally {
      await file.close();
    }
  });
  await Promise.allSettled(writes);
}
