import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessIdentity, writeInPrivateFolder } from '@plat/local';
import { endLeftGroup } from '../processes/left-group';

/**
 * The file that tells which process group gates in a checkout, whatever the target branch. It is written before the
 * group begins: a drive that is killed leaves no gate at work that the next one does not know of.
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

  /** Ends the gate of a drive that was killed. @returns whether one was at work. @throws Failure LEFT_PROCESSES */
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
