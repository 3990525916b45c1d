import { watch } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { ended, Machine } from '../black-box/plat-process';
import { type Job, type JobRecord, jobStatus } from './job';

describe('plat exec job', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const job = (...args: string[]) => machine.plat(['exec', 'job', ...args]);
    const start = async (...command: string[]) =>
      (await job('start', '--json', '--', ...command)).json<Job>();
    const end = (jobId: string) => appearance(join(machine.home, '.plat/jobs', `${jobId}.exit`));
    return { machine, job, start, end };
  }

  it('runs a command that outlives it, and keeps its output and exit code', async () => {
    const { machine, job, start, end } = await setUp();
    const { jobId } = await start('sh', '-c', 'pwd; echo "$1" >&2; exit 3', 'sh', "it's here");
    await end(jobId);
    expect((await job('output', jobId)).stdout).toBe(`${machine.home}\nit's here\n`);
    expect((await job('output', jobId, '--json')).json()).toMatchObject({ status: 'FAILED', exitCode: 3 });
    expect((await job('list', '--json')).json()).toMatchObject([{ jobId, status: 'FAILED' }]);
  });

  it('output shows the end of an output that is too long, from the beginning of a line', async () => {
    const { job, start, end } = await setUp();
    const { jobId } = await start('sh', '-c', 'yes 0123456789abcde | head -n 1200000; echo end');
    await end(jobId);
    const shown = (await job('output', jobId, '--json')).json<{ output: string; bytesLeftOut: number }>();
    expect(shown.output.length).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect([shown.output.slice(0, 16), shown.output.slice(-4)]).toEqual(['0123456789abcde\n', 'end\n']);
    expect(shown.bytesLeftOut + shown.output.length).toBe(16 * 1_200_000 + 4);
  });

  it('cancel ends the job and the processes that it started; one that has ended stays as it is', async () => {
    const { job, start, end } = await setUp();
    const { jobId, pid } = await start('sh', '-c', 'sleep 60 & sleep 60');
    expect((await job('cancel', jobId, '--json')).json()).toMatchObject({ status: 'CANCELLED' });
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'pgid=,stat=']);
    const group = stdout.split('\n').filter((line) => line.trim().split(/\s+/)[0] === String(pid));
    // The process has ended, or at most waits for its parent to reap it.
    expect(group.filter((line) => !/\sZ/.test(line))).toEqual([]);
    const other = await start('true');
    await end(other.jobId);
    expect((await job('cancel', other.jobId, '--json')).json()).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('cancel lets the processes of the job end in order', async () => {
    const { machine, job, start } = await setUp();
    const [up, saved] = [join(machine.home, 'up'), join(machine.home, 'saved')];
    const script = `trap 'sleep 0.5; echo saved > ${saved}; exit' TERM; echo > ${up}; while :; do sleep 0.1; done`;
    const isUp = appearance(up);
    const { jobId } = await start('sh', '-c', script);
    await isUp;
    expect((await job('cancel', jobId, '--json')).json()).toMatchObject({ status: 'CANCELLED' });
    expect(await readFile(saved, 'utf8')).toBe('saved\n');
  });

  it.each([['output'], ['cancel']])('%s of an unknown job is refused', async (verb) => {
    const { job } = await setUp();
    for (const id of ['../../etc/passwd', '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11']) {
      expect((await job(verb, id, '--json')).json()).toMatchObject({ code: 'NO_SUCH_JOB' });
    }
  });

  it('Ctrl-C at the start of a job leaves no unlisted process', async () => {
    const { machine, job, end } = await setUp();
    // Created beforehand, so that it can be watched.
    await mkdir(join(machine.home, '.plat/jobs'), { recursive: true });
    const begun = appearanceOf(join(machine.home, '.plat/jobs'), /\.log$/);
    const child = await machine.start(['exec', 'job', 'start', '--json', '--', 'sh', '-c', 'echo at work']);
    const run = ended(child);
    await begun;
    child.kill('SIGINT');
    await run;
    const jobs = (await job('list', '--json')).json<Job[]>();
    expect(jobs).toMatchObject([{ command: ['sh', '-c', 'echo at work'] }]);
    await end(jobs[0]?.jobId ?? '');
    expect((await job('list', '--json')).json()).toMatchObject([{ status: 'SUCCEEDED' }]);
  });

  it('requires a command after --', async () => {
    const { job } = await setUp();
    expect((await job('start', 'true', '--json')).json()).toMatchObject({ code: 'COMMAND_REQUIRED' });
  });

  it('starts nothing under --dry-run', async () => {
    const { job } = await setUp();
    const run = await job('start', '--dry-run', '--json', '--', 'echo', 'a b');
    expect(run.json()).toEqual({ dryRun: true, plan: ["echo 'a b'"] });
    expect((await job('list', '--json')).json()).toEqual([]);
  });

  it('reports a job without a process and without an exit code as LOST, unless it was cancelled', () => {
    const record = { cancelled: false } as JobRecord;
    expect(jobStatus(record, undefined, true)).toBe('RUNNING');
    expect(jobStatus(record, undefined, false)).toBe('LOST');
    expect(jobStatus({ ...record, cancelled: true }, undefined, false)).toBe('CANCELLED');
  });
});

/** Watches the folder from now on. Resolves once a file with such a name is created in it. */
function appearanceOf(folder: string, name: RegExp): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, file) => {
      if (!name.test(file ?? '')) return;
      watcher.close();
      resolve();
    });
  });
}

/** Resolves once the file exists; it is created complete. */
async function appearance(file: string): Promise<void> {
  const watcher = watch(dirname(file));
  try {
    const appeared = new Promise<void>((resolve) =>
      watcher.on('change', (_event, name) => name === basename(file) && resolve()),
    );
    const there = access(file).catch(() => appeared);
    await there;
  } finally {
    watcher.close();
  }
}
