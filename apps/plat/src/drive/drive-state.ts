import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInPrivateFolder } from '@plat/local';
import { Failure } from '../terminal/failure';

/** How far the drive of one review has come: each fact is written once its step is done, and never done again. */
export interface DriveState {
  /** Where the review lives; a drive that goes elsewhere does not take it up. */
  apiUrl: string;
  review: { reviewId: string; name: string; sourceBranch: string };
  /** When the review came to MERGE, by the platform's clock; RFC 3339. Gate runs from before it are others'. */
  takenAt?: string;
  /** The merge was begun: what is changed in the checkout is the drive's own until `merge` is there. */
  merging?: true;
  /** The prospective merge; no mergeCommit where there could be none. */
  merge?: { targetCommit: string; sourceCommit?: string; mergeCommit?: string };
  gateRunId?: string | undefined;
  /** How the gate ended. */
  verdict?: { successful: boolean; failingStep?: string; detail?: string };
  /** The review's builds as they were before the GATE build was reported. */
  buildsBefore?: string[];
  /** The GATE build that tells the verdict. */
  buildId?: string;
  pushed?: true;
}

/** The file of a drive onto one target branch, in the checkout's own folder of the client. */
export class DriveStateFile {
  private readonly path: string;

  constructor(checkoutFolder: string, targetBranch: string) {
    const name = createHash('sha256').update(targetBranch).digest('hex').slice(0, 32);
    this.path = join(checkoutFolder, 'drive', `${name}.json`);
  }

  /** @throws Failure DRIVE_STATE_UNREADABLE */
  async read(): Promise<DriveState | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const state = parsed(text);
    if (typeof state?.apiUrl === 'string' && typeof state.review?.reviewId === 'string') return state;
    throw new Failure('DRIVE_STATE_UNREADABLE', `${this.path} is not the state of a drive.`, {
      details: { path: this.path },
      next: `rm ${this.path}, then repeat the command: the review at MERGE is then gated again`,
    });
  }

  write(state: DriveState): Promise<void> {
    return writeInPrivateFolder(this.path, `${JSON.stringify(state)}\n`);
  }

  async clear(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

function parsed(text: string): DriveState | undefined {
  try {
    return (JSON.parse(text) as DriveState | null) ?? undefined;
  } catch {
    return undefined;
  }
}
