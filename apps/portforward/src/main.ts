import { closeSync, openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { ForwardLog, type LogEntry, logPathOf } from '@plat/forwards';
import { type ForwardArguments, parseArguments, UsageError } from './arguments';
import { ClusterAccess } from './cluster-access';
import { ClusterApi } from './cluster-api';
import { kubeconfigPaths } from './config';
import { configPathOf, PlatformRecord } from './platform-record';
import { PodDialer } from './pod-dialer';
import { type ForwardReport, PodForward } from './pod-forward';

const [STDOUT, STDERR] = [1, 2];
/** How long connections and processes may take to end. Rule H9. */
const STOP_MS = 500;

/** Writes one line for the program that started this process, and closes the inherited outputs. */
function announce(line: Record<string, unknown>): void {
  try {
    writeSync(STDOUT, `${JSON.stringify(line)}\n`);
  } catch {
    // The program that waited for the line has gone.
  }
  for (const file of [STDOUT, STDERR]) {
    closeSync(file);
    // Takes the number, so that nothing that is printed can get into a connection.
    openSync(devNull, 'w');
  }
}

class Daemon {
  private readonly log: ForwardLog;
  private readonly access: ClusterAccess;
  private readonly forward: PodForward;
  private readonly platform: PlatformRecord;
  private isStopping = false;

  constructor(private readonly args: ForwardArguments) {
    const { namespace, service, port, context, state } = args;
    // The name decides, not the record: a record may have been edited.
    this.log = new ForwardLog(logPathOf(state));
    this.access = new ClusterAccess({ paths: kubeconfigPaths(), context });
    this.platform = new PlatformRecord({ config: configPathOf(state), plat: join(__dirname, 'plat.js') });
    const dialer = new PodDialer(new ClusterApi(this.access), { namespace, service, port });
    this.forward = new PodForward({ dialer, report: this.report() });
  }

  async start(): Promise<void> {
    const { localPort, service, namespace, context } = this.args;
    await this.forward.listen(localPort);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => this.stop('stopped', { signal }));
    }
    // The terminal of the person who opened the environment may be closed.
    process.on('SIGHUP', () => undefined);
    process.on('uncaughtException', (error) => {
      process.exitCode = 1;
      this.stop('crashed', { message: error.stack ?? error.message });
    });
    const fields = { port: localPort, service, namespace, context, pid: process.pid };
    this.log.write({ event: 'listening', fields });
  }

  private report(): ForwardReport {
    // Connections that are cut by the end of this process are no news.
    const write = (entry: LogEntry) => this.isStopping || this.log.write(entry);
    return {
      replied: (fields) => write({ event: 'opened', fields }),
      ended: ({ failure, ...fields }) =>
        write(
          failure === undefined
            ? { event: 'ended', fields }
            : { event: 'failed', fields: { message: failure, ...fields } },
        ),
      failed: (error) => {
        write({ event: 'failed', fields: { message: (error as Error).message } });
        void this.askPlatform();
      },
      gone: (message) => this.stop('gone', { message }),
    };
  }

  /** The environment may be gone while its namespace is still there, or cannot be asked for. */
  private async askPlatform(): Promise<void> {
    if (await this.platform.isGone()) this.stop('gone', { message: 'The platform has no such environment.' });
  }

  /** Ends the process. Its record stays, for diagnosis. */
  private stop(event: 'stopped' | 'crashed' | 'gone', fields: Record<string, string>): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.log.write({ event, fields });
    this.forward.close();
    this.access.close();
    this.platform.close();
    // Only what does not end by itself keeps the process now, such as a credential plugin that hangs.
    setTimeout(killOwnGroup, STOP_MS).unref();
  }
}

/** Ends this process and those that it started. It leads a group of its own if it was started detached. */
function killOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

async function main(): Promise<void> {
  try {
    const args = parseArguments(process.argv.slice(2));
    await new Daemon(args).start();
    announce({ listening: args.localPort, pid: process.pid });
  } catch (error) {
    process.exitCode = 1;
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError) process.stderr.write(`${basename(process.argv[1] ?? '')}: ${message}\n`);
    announce({ error: code ?? 'FAILED', message });
  }
}

// A forward makes much short-lived data: a young generation that grows with it would take half of the memory.
setFlagsFromString('--semi-space-growth-factor=1');
void main();
