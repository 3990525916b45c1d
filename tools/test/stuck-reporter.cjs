const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');

/** Longest time without a test file that begins or ends. The longest file builds images, in six minutes on a quiet machine. */
const SILENT_MS_MAX = 20 * 60_000;
/** How long a worker may take to write its report. */
const REPORT_MS = 5_000;
const ON_SIGNAL = '--report-on-signal';

/**
 * Ends a run that is stuck. jest's time limits need the thread of the worker, so a test that keeps it has none. First it
 * prints the files that run, and what each worker does.
 */
class StuckReporter {
  /** @type {Set<{path: string}>} */
  running = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  timer;

  /** @param {object} _config @param {{silentMs?: number, reportMs?: number}} [options] */
  constructor(_config, { silentMs = SILENT_MS_MAX, reportMs = REPORT_MS } = {}) {
    Object.assign(this, { silentMs, reportMs });
  }

  /** @param {{path: string}} test */
  onTestFileStart(test) {
    this.running.add(test);
    this.wait();
  }

  /** @param {{path: string}} test */
  onTestFileResult(test) {
    this.running.delete(test);
    this.wait();
  }

  onRunComplete() {
    clearTimeout(this.timer);
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.end(), this.silentMs);
  }

  async end() {
    const { endProcesses, processesOf } = await import('./left-processes.mjs');
    const folder = process.env.TMPDIR;
    const files = [...this.running].map(({ path }) => `  ${path}\n`);
    process.stdout.write(`No test file began or ended in ${this.silentMs} ms. These run:\n${files.join('')}`);
    const processes = processesOf(folder);
    const workers = processes.filter(({ command }) => command.includes(ON_SIGNAL));
    for (const { pid } of workers) process.kill(pid, 'SIGUSR2');
    await delay(this.reportMs);
    for (const { pid } of workers) process.stdout.write(`${pid} ${waitOf(pid, folder)}\n`);
    endProcesses(processes);
    // jest still waits for the files, and nothing else ends its process.
    process.kill(process.pid, 'SIGTERM');
  }
}

/** What a worker waits for. One whose thread computes takes no signal, and writes no report. */
function waitOf(pid, folder) {
  const name = readdirSync(folder).find((one) => one.startsWith('report.') && one.includes(`.${pid}.`));
  if (name === undefined) return 'computes: its thread takes no signal';
  const { libuv } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const active = libuv.filter(({ is_active: isActive }) => isActive);
  const named = active.map(({ type, localEndpoint, remoteEndpoint, firesInMsFromNow }) =>
    [type, localEndpoint?.port, remoteEndpoint?.port, firesInMsFromNow].filter(Boolean).join(' '),
  );
  return `waits for: ${named.join(', ')}`;
}

/** Arguments of node for processes that write a report when this reporter asks for it. */
const reportArguments = (folder) => [ON_SIGNAL, `--report-directory=${folder}`];

module.exports = StuckReporter;
module.exports.reportArguments = reportArguments;
