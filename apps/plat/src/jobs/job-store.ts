import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, writeInPrivateFolder } from '@plat/local';
import { environmentFolder } from '../config/environment-folder';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { type Job, type JobRecord, jobStatus } from './job';
import { isOwnProcess, type JobFiles, startProcess, stopProcess } from './job-process';

const RECORD = '.json';

/** The jobs of the environment that this runs in, or of this machine outside any. */
export function jobsOf(environment: Environment): JobStore {
  return new JobStore(join(environmentFolder(environment) ?? environment.stateFolder, 'jobs'));
}

/** Shorter pieces of an id name too much. */
const PIECE_LENGTH_MIN = 6;

/** Jobs in one folder: a record each, what it printed, and its exit code once it ended. */
class JobStore {
  constructor(private readonly folder: string) {}

  async start(command: string[], folder: string): Promise<Job> {
    const jobId = randomUUID();
    await makePrivateFolder(this.folder);
    const pid = await startProcess(command, folder, this.files(jobId));
    const startedAt = new Date().toISOString();
    return this.write({ jobId, command, folder, pid, startedAt, cancelled: false });
  }

  /** The oldest first. */
  async list(): Promise<Job[]> {
    await makePrivateFolder(this.folder);
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(RECORD));
    const jobs = await Promise.all(names.map((name) => this.get(name.slice(0, -RECORD.length))));
    return jobs.sort((one, other) => one.startedAt.localeCompare(other.startedAt));
  }

  /** @throws Failure NO_SUCH_JOB */
  async get(jobId: string): Promise<Job> {
    return this.asItStands(await this.record(jobId));
  }

  /** What the job has printed so far, both streams. @throws Failure NO_SUCH_JOB */
  async output(named: string): Promise<string> {
    const { jobId } = await this.record(named);
    return readFile(this.files(jobId).output, 'utf8');
  }

  /** Ends the job; one that has ended stays as it is. @throws Failure NO_SUCH_JOB */
  async cancel(named: string): Promise<Job> {
    const record = await this.record(named);
    const job = await this.asItStands(record);
    if (job.status !== 'RUNNING') return job;
    await this.write({ ...record, cancelled: true });
    await stopProcess(record.pid, this.files(record.jobId));
    return this.get(record.jobId);
  }

  /** By its id, or a piece of it that no other job's has. */
  private async record(named: string): Promise<JobRecord> {
    const jobId = await this.wholeId(named);
    try {
      if (/^[0-9a-f-]{36}$/.test(jobId)) {
        return JSON.parse(await readFile(join(this.folder, `${jobId}${RECORD}`), 'utf8')) as JobRecord;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    throw new Failure('NO_SUCH_JOB', `There is no job ${named}.`, { next: 'plat exec job list' });
  }

  private async wholeId(named: string): Promise<string> {
    if (named.length < PIECE_LENGTH_MIN) return named;
    const names = await readdir(this.folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith(RECORD)).map((name) => name.slice(0, -RECORD.length));
    const having = ids.filter((id) => id.includes(named));
    return having.length === 1 ? (having[0] ?? named) : named;
  }

  private async write(record: JobRecord): Promise<Job> {
    await writeInPrivateFolder(join(this.folder, `${record.jobId}${RECORD}`), `${JSON.stringify(record)}\n`);
    return this.asItStands(record);
  }

  /** The process is looked at first: one that ends in between has left its exit code by then. */
  private async asItStands(record: JobRecord): Promise<Job> {
    const files = this.files(record.jobId);
    const alive = await isOwnProcess(record.pid, files);
    const text = await readFile(files.exitCode, 'utf8').catch(() => undefined);
    const exitCode = text === undefined ? undefined : Number(text);
    const status = jobStatus(record, exitCode, alive && exitCode === undefined);
    return { ...record, status, exitCode };
  }

  private files(jobId: string): JobFiles {
    return { output: join(this.folder, `${jobId}.log`), exitCode: join(this.folder, `${jobId}.exit`) };
  }
}
