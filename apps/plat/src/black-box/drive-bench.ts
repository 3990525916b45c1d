import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '@plat/api-client';
import { verifierWorkerFile } from '@plat/testing';
import type { DriveContext } from '../drive/drive-context';
import type { DriveLoop } from '../drive/drive-loop';
import { type DriveState, DriveStateFile } from '../drive/drive-state';
import { GateProcessFile } from '../drive/gate-process';
import { type Git, gitIn } from '../git/git';
import { openDriveWorktree } from '../worktree/drive-worktree';
import { GateCheckout } from './gate-checkout';
import type { Machine } from './plat-process';
import { PlatformDouble } from './platform-double';

/** The review that is driven. */
export const REVIEW_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
export const SOURCE = 'feature/1';

/** A real checkout with its origin, and a platform double, for the steps of a drive. */
export class DriveBench {
  /** The notes of the drive. */
  readonly notes: string[] = [];

  private constructor(
    readonly home: string,
    readonly checkout: GateCheckout,
    readonly platform: PlatformDouble,
    /** In the worktree of drives. */
    readonly git: Git,
    private readonly verifierWorker: string,
  ) {}

  static async set(): Promise<DriveBench> {
    const home = await mkdtemp(join(tmpdir(), 'plat-drive-'));
    const checkout = await GateCheckout.create({ home } as Machine);
    await checkout.git('config', 'user.name', 'Test');
    await checkout.git('config', 'user.email', 'test@example.com');
    const input = { configFolder: join(home, 'config'), note: () => undefined };
    const git = await openDriveWorktree(gitIn(await realpath(checkout.folder)), input);
    const platform = await PlatformDouble.start();
    return new DriveBench(home, checkout, platform, git, await verifierWorkerFile());
  }

  async strike(): Promise<void> {
    await this.platform.close();
    await rm(this.home, { recursive: true });
  }

  /** The folder of the drives' worktree. */
  get worktree(): string {
    return this.git.folder;
  }

  /** Runs git in the drives' worktree, as the person. */
  inWorktree(...args: string[]): Promise<string> {
    return this.checkout.git('-C', this.worktree, ...args);
  }

  get stateFile(): DriveStateFile {
    return new DriveStateFile(this.own, 'main');
  }

  context(facts: Partial<DriveContext> = {}): DriveLoop {
    const { url } = this.platform;
    return {
      git: this.git,
      asideFolder: join(this.own, 'set-aside'),
      platform: {
        alias: { name: 'test', apiUrl: url } as DriveContext['platform']['alias'],
        api: new ApiClient({ baseUrl: url, tokens: { current: () => 'access-1' } }),
        plannedCall: (route) => route,
      },
      targetBranch: 'main',
      repository: `file://${this.checkout.origin}`,
      remoteUrl: this.checkout.origin,
      gate: { plan: () => Promise.resolve('true'), run: () => Promise.resolve({ successful: true }) },
      gateTime: { text: '2h', milliseconds: 7_200_000 },
      verifierWorker: this.verifierWorker,
      stateFile: this.stateFile,
      gateProcess: new GateProcessFile(this.own),
      holder: 'me@here:/app (1)',
      takeOver: false,
      interrupted: new AbortController().signal,
      progress: (_step, work) => work,
      note: (line) => this.notes.push(line),
      output: () => undefined,
      ...facts,
    };
  }

  state(facts: Partial<DriveState> = {}): DriveState {
    const review = { reviewId: REVIEW_ID, name: 'Add limits', sourceBranch: SOURCE };
    return { apiUrl: this.platform.url, review, takenAt: '2026-01-02T03:04:05Z', ...facts };
  }

  /** The commit of the local revision. */
  commit(revision: string): Promise<string> {
    return this.checkout.git('rev-parse', revision);
  }

  /** Pushes a commit to origin's target branch, and leaves the local target branch unchanged. */
  async moveTarget(files: Record<string, string>): Promise<string> {
    await this.checkout.git('fetch', '--quiet', 'origin');
    await this.checkout.git('switch', '--quiet', '--create', 'by-somebody', 'origin/main');
    const commit = await this.checkout.commit(files, 'Someone else');
    await this.checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    await this.checkout.git('switch', '--quiet', '-');
    await this.checkout.git('branch', '--quiet', '--delete', '--force', 'by-somebody');
    return commit;
  }

  private get own(): string {
    return join(this.checkout.folder, '.git', 'plat');
  }
}
