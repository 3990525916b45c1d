import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { newId } from '@plat/contracts/core';
import { claimDeletion } from './deletion.queries';
import { attemptDeletion, type DeletionPatience, type DeletionTools } from './environment-deletion';

export interface DeletionPace extends DeletionPatience {
  /** How long a job belongs to one worker; longer than an attempt can take. */
  leaseSeconds: number;
  /** Longest pause between searches, which find the jobs of workers that died: no request wakes a worker for these. */
  pollSeconds: number;
}

const PACE: DeletionPace = { attemptsMax: 12, pauseSecondsMax: 60, leaseSeconds: 60, pollSeconds: 30 };

/**
 * Works off the deletions of environments, one at a time: when a request wakes it, when a pause is over, and at least
 * every 30 s. The jobs are rows of the database, so any number of workers may run, and any may die.
 */
@Injectable()
export class DeletionWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly pace: DeletionPace;
  private working: Promise<void> | undefined;
  private wokenMeanwhile = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tools: DeletionTools,
    pace: Partial<DeletionPace> = {},
  ) {
    this.pace = { ...PACE, ...pace };
  }

  onApplicationBootstrap(): void {
    this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.working;
  }

  /** Looks for jobs now. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    this.wokenMeanwhile = true;
    clearTimeout(this.timer);
    this.working ??= this.work();
  }

  /** Resolves when no job is due. */
  async idle(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    let pauseSeconds = this.pace.pollSeconds;
    try {
      while (this.wokenMeanwhile && !this.stopping.signal.aborted) {
        this.wokenMeanwhile = false;
        pauseSeconds = Math.min(pauseSeconds, await this.workOffDueJobs());
      }
    } catch (error) {
      if (!this.stopping.signal.aborted) {
        this.tools.log.error({ err: error }, 'environment deletions stalled');
      }
    }
    this.working = undefined;
    if (!this.stopping.signal.aborted) {
      this.timer = setTimeout(() => this.wake(), pauseSeconds * 1000).unref();
    }
  }

  /** @returns seconds until the first postponed job is due again */
  private async workOffDueJobs(): Promise<number> {
    const { database } = this.tools;
    const { leaseSeconds } = this.pace;
    let nextSeconds = this.pace.pollSeconds;
    while (!this.stopping.signal.aborted) {
      const [job] = await claimDeletion(database, { leaseId: newId(), leaseSeconds });
      if (!job) break;
      const pause = await attemptDeletion(job, { ...this.tools, ...this.pace }, this.stopping.signal);
      nextSeconds = Math.min(nextSeconds, pause ?? nextSeconds);
    }
    return nextSeconds;
  }
}
