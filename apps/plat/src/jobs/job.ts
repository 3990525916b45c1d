import type { Table } from '../terminal/table';

export const JOB_STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'LOST'] as const;
/** LOST: its process has gone without an exit code. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A command in the background, as it was started. */
export interface JobRecord {
  jobId: string;
  command: string[];
  folder: string;
  /** Leader of the command's process group. */
  pid: number;
  /** RFC 3339 UTC. */
  startedAt: string;
  /** Whether it was cancelled. */
  cancelled: boolean;
}

/** A job with its current status. */
export interface Job extends JobRecord {
  status: JobStatus;
  /** Absent until it has ended by itself. */
  exitCode?: number;
}

/** @param exitCode undefined if there is none */
export function jobStatus(record: JobRecord, exitCode: number | undefined, alive: boolean): JobStatus {
  if (exitCode === 0) return 'SUCCEEDED';
  if (alive) return 'RUNNING';
  if (record.cancelled) return 'CANCELLED';
  return exitCode === undefined ? 'LOST' : 'FAILED';
}

/** Jobs, one a line. */
export function jobTable(jobs: readonly Job[]): Table {
  return {
    columns: [
      { title: 'JOB', as: 'id' },
      { title: 'STATUS', as: 'status' },
      'EXIT',
      { title: 'STARTED', as: 'time' },
      { title: 'COMMAND', as: 'elastic' },
    ],
    rows: jobs.map(({ jobId, status, exitCode, startedAt, command }) => [
      jobId,
      status,
      exitCode?.toString(),
      startedAt,
      command.join(' '),
    ]),
    whenEmpty: 'There are no jobs.',
  };
}
