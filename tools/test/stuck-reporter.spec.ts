import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync, testEnvironment } from '@plat/testing';
import StuckReporter from './stuck-reporter.cjs';

const reporter = JSON.stringify(join(__dirname, 'stuck-reporter.cjs'));

/** A run whose only worker has begun a file, and hears nothing more of it. */
const RUN = `
  const { fork } = require('node:child_process');
  const { join } = require('node:path');
  const StuckReporter = require(${reporter});
  const folder = process.env.TMPDIR;
  const worker = fork(join(folder, 'worker.cjs'), [], { execArgv: StuckReporter.reportArguments(folder) });
  worker.once('message', () => new StuckReporter({}, { silentMs: 10, reportMs: 2_000 }).onTestFileStart({ path: 'apps/a.spec.ts' }));`;

describe('a run that is stuck', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-stuck-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    [
      'computes without an end',
      '(function compute() { for (;;); })()',
      /^\d+ computes: its thread takes no signal$/m,
    ],
    ['waits', `require('node:net').createServer().listen(0)`, /^\d+ waits for: .*tcp \d+/m],
  ])('ends, and prints its files and a worker that %s', async (_what, act, shown) => {
    await writeFile(join(folder, 'worker.cjs'), `process.send('ready', () => { ${act}; });`);
    const { signal, stdout } = spawnSync(process.execPath, ['-e', RUN], {
      encoding: 'utf8',
      env: { ...testEnvironment(), TMPDIR: folder },
    });
    expect(stdout).toMatch(/^No test file began or ended in 10 ms\. These run:\n {2}apps\/a\.spec\.ts\n/);
    expect(stdout).toMatch(shown);
    expect(signal).toBe('SIGTERM');
  });

  it('is none while files begin and end, nor after the last one', () => {
    jest.useFakeTimers();
    const stuck = new StuckReporter({}, { silentMs: 1_000 });
    const end = jest.spyOn(stuck, 'end').mockResolvedValue();
    for (const path of ['a', 'b']) {
      stuck.onTestFileStart({ path });
      jest.advanceTimersByTime(900);
      stuck.onTestFileResult({ path });
      jest.advanceTimersByTime(900);
    }
    stuck.onRunComplete();
    jest.advanceTimersByTime(10_000);
    expect(end).not.toHaveBeenCalled();
    jest.useRealTimers();
  });
});
