import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileRefused, type ProcessIdentity, readRegularFile, writeInPrivateFolder } from '@plat/local';
import { endLeftGroup } from '../processes/left-group';
import { areOwnRecords } from './own-records';

/** More than the file of any process has. */
const BYTES_MAX = 4096;

/**
 * The file that names the process group of a checkout's gate, for any target branch. It is written before the group
 * begins, so that the next drive can find the gate of a killed one.
 */
export class GateProcessFile {
  private readonly path: string;

  constructor(private readonly checkoutFolder: string) {
    this.path = join(checkoutFolder, 'drive', 'gate-process.json');
  }

  write({ pid, began }: ProcessIdentity): Promise<void> {
    return writeInPrivateFolder(this.path, `${JSON.stringify({ pid, began })}\n`);
  }

  async clear(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /**
   * Ends the gate of a killed drive. Ends no process that another user may have written into the file.
   *
   * @returns whether it was still running
   * @throws Failure LEFT_PROCESSES
   */
  async endLeft(): Promise<boolean> {
    const leader = (await areOwnRecords(this.checkoutFolder)) ? parsed(this.text()) : undefined;
    const ended = leader !== undefined && (await endLeftGroup(leader));
    await this.clear();
    return ended;
  }

  /** Empty if there is none; nothing of what is no regular file, such as a pipe. */
  private text(): string {
    try {
      return readRegularFile(this.path, { bytesMax: BYTES_MAX, inside: dirname(this.path) }).toString('utf8');
    } catch (error) {
      if (error instanceof FileRefused) return '';
      throw error;
    }
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
