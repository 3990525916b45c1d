import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessIdentity, writeInPrivateFolder } from '@plat/local';
import { endLeftGroup } from '../processes/left-group';

/**
 * The file that names the process group of a checkout's gate, for any target branch. It is written before the group
 * begins, so that the next drive can find the gate of a killed one.
 */
export class GateProcessFile {
  private readonly path: string;

  constructor(checkoutFolder: string) {
    this.path = join(checkoutFolder, 'drive', 'gate-process.json');
  }

  write({ pid, began }: ProcessIdentity): Promise<void> {
    return writeInPrivateFolder(this.path, `${JSON.stringify({ pid, began })}\n`);
  }

  async clear(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** Ends the gate of a killed drive. @returns whether it was still running. @throws Failure LEFT_PROCESSES */
  async endLeft(): Promise<boolean> {
    const leader = parsed(await readFile(this.path, 'utf8').catch(() => ''));
    const ended = leader !== undefined && (await endLeftGroup(leader));
    await this.clear();
    return ended;
  }
}

function parsed(text: string): ProcessIdentity | undefined {
  try {
    const { pid, began } = JSON.parse(text) as Partial<ProcessIdentity>;
    return Number.isSafeInteger(pid) && typeof began === 'string'
      ? ({ pid, began } as ProcessIdentity)
      : undefined;
  } catch {
    return undefined;
  }
}
