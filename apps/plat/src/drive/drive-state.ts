import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileRefused, readRegularFile, writeInPrivateFolder } from '@plat/local';
import type { Tested } from '../build/tested';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

/** More than any state has. */
const BYTES_MAX = 16 * 1024 * 1024;

/** The progress of a drive with one review. Each fact is written once its step is done; no such step is repeated. */
export interface DriveState {
  /** Base address of the review's API. A drive for another address does not take the review up. */
  apiUrl: string;
  review: { reviewId: string; name: string; sourceBranch: string };
  /** When the review came to MERGE, by the platform's clock; RFC 3339. Gate runs that passed earlier do not count. */
  takenAt?: string;
  /** The merge was begun: until `merge` is set, changes in the worktree are the drive's own. */
  merging?: true;
  /** The prospective merge; without a mergeCommit if none could be made. */
  merge?: { targetCommit: string; sourceCommit?: string; mergeCommit?: string };
  gateRunId?: string | undefined;
  /** How the gate ended; `undecided` says why it has reached no verdict. */
  verdict?: {
    successful: boolean;
    undecided?: string;
    failingStep?: string;
    detail?: string;
    tested?: Tested | undefined;
  };
  /** The review's builds before the GATE build was reported. */
  buildsBefore?: string[];
  /** The GATE build that reports the verdict. */
  buildId?: string;
  pushed?: true;
}

/** The state file of a drive onto one target branch, in the client's folder of the checkout. */
export class DriveStateFile {
  private readonly path: string;

  constructor(checkoutFolder: string, targetBranch: string) {
    const name = createHash('sha256').update(targetBranch).digest('hex').slice(0, 32);
    this.path = join(checkoutFolder, 'drive', `${name}.json`);
  }

  /** @throws Failure DRIVE_STATE_UNREADABLE */
  async read(): Promise<DriveState | undefined> {
    const text = this.text();
    if (text === undefined) return undefined;
    const state = parsed(text);
    if (typeof state?.apiUrl === 'string' && typeof state.review?.reviewId === 'string') return state;
    throw new Failure('DRIVE_STATE_UNREADABLE', `${this.path} is not the state of a drive.`, {
      details: { path: this.path },
      next: nextStep('rm', [this.path], ', then repeat the command: the review at MERGE is then gated again'),
    });
  }

  /** @returns undefined if there is none; nothing of what is no regular file, such as a pipe */
  private text(): string | undefined {
    try {
      return readRegularFile(this.path, { bytesMax: BYTES_MAX, inside: dirname(this.path) }).toString('utf8');
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      return error.fault === 'absent' ? undefined : '';
    }
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
