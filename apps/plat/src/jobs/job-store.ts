import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, writeInPrivateFolder } from '@plat/local';
import { environmentFolder } from '../config/environment-folder';
import { timeOf } from '../config/file-time';
import type { Environment } from '../environment';
import { Failure } from '../terminal/failure';
import { type Job, type JobRecord, jobStatus } from './job';
import { type JobOutput, readJobOutput } from './job-output';
import { isOwnProcess, type JobCommand, type JobFiles, startProcess, stopProcess } from './job-process';

const RECORD = '.json';
const EXIT_CODE = '.exit';

/** The jobs of this process's environment; outside an environment, those of this machine. */
export function jobsOf(environment: Environment): JobStore {
  return new JobStore(join(environmentFolder(environment) ?? environment.stateFolder, 'jobs'));
}

/** Shorter parts of an id match too many. */
const PIECE_LENGTH_MIN = 6;

/** Jobs in one folder: for each a record, its output, and its exit code once it has ended. */
class JobStore {
  constructor(private readonly folder: string) {}

  async start(asked: JobCommand): Promise<Job> {
    const { command, folder } = asked;
    const jobId = randomUUID();
    await makePrivateFolder(this.folder);
    const pid = await startProcess(asked, this.files(jobId));
    const startedAt = new Date().toISOString();
    return this.write({ jobId, command, folder, pid, startedAt, cancelled: false });
  }

  /** All jobs, the oldest first. */
  async list(): Promise<Job[]> {
    const names = (await this.names()).filter((name) => name.endsWith(RECORD));
    const jobs = await Promise.all(names.map((name) => this.get(name.slice(0, -RECORD.length))));
    return jobs.sort((one, other) => one.startedAt.localeCompare(other.startedAt));
  }

  /** When a job last began or ended, in epoch milliseconds; undefined: never. */
  async readLastUse(): Promise<number | undefined> {
    const names = (await this.names()).filter((name) => name.endsWith(RECORD) || name.endsWith(EXIT_CODE));
    const times = await Promise.all(names.map((name) => timeOf(join(this.folder, name))));
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  /** @throws Failure NO_SUCH_JOB */
  async get(jobId: string): Promise<Job> {
    return this.asItStands(await this.record(jobId));
  }

  /** The job's output so far, of both streams. @throws Failure NO_SUCH_JOB */
  async output(named: string): Promise<JobOutput> {
    const { jobId } = await this.record(named);
    return readJobOutput(this.files(jobId).output);
  }

  /** Ends the job. One that has ended stays as it is. @throws Failure NO_SUCH_JOB */
  async cancel(named: string): Promise<Job> {
    const record = await this.record(named);
    const job = await this.asItStands(record);
    if (job.status !== 'RUNNING') return job;
    await this.write({ ...record, cancelled: true });
    await stopProcess(record.pid, this.files(record.jobId));
    return this.get(record.jobId);
  }

  /** Finds a job by its id, or by a part that no other job's id has. */
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

  /**
   * Checks the process only if there is no exit code, because each check starts a program; and then the exit code again:
   * if the process ends in between, its exit code is there by then.
   */
  private async asItStands(record: JobRecord): Promise<Job> {
    const files = this.files(record.jobId);
    const read = () => readFile(files.exitCode, 'utf8').catch(() => undefined);
    let [text, alive] = [await read(), false];
    if (text === undefined) {
      alive = await isOwnProcess(record.pid, files);
      text = await read();
    }
    const exitCode = text === undefined ? undefined : Number(text);
    const status = jobStatus(record, exitCode, alive && exitCode === undefined);
    return { ...record, status, exitCode };
  }

  /** The files of the folder; none if there is no folder. Reading creates none. */
  private async names(): Promise<string[]> {
    return readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }

  private files(jobId: string): JobFiles {
    return { output: join(this.folder, `${jobId}.log`), exitCode: join(this.folder, `${jobId}${EXIT_CODE}`) };
  }
}
