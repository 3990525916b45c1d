import { closeSync, openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, join } from 'node:path';
import { ForwardLog, logPathOf, readRecord } from '@plat/forwards';
import { type ForwardArguments, parseArguments, UsageError } from './arguments';
import { configPathOf, EnvironmentEnd } from './environment-end';
import { ForwardServer } from './forward-server';
import { KubeAccess } from './kube-access';
import { PodDialer } from './pod-dialer';

const STDOUT = 1;

/** Says how the start went, in one line, to whoever started this process. */
function report(line: Record<string, unknown>): void {
  writeSync(STDOUT, `${JSON.stringify(line)}\n`);
  closeSync(STDOUT);
  // Takes the number, because a socket that got it would never be closed.
  openSync(devNull, 'w');
}

async function run(args: ForwardArguments): Promise<void> {
  const { namespace, service, localPort, port, context, state } = args;
  const log = new ForwardLog((await readRecord(state)).record?.logPath ?? logPathOf(state));
  const access = new KubeAccess(context);
  const configPath = configPathOf(state);
  const end = new EnvironmentEnd(access, { namespace, configPath, program: join(__dirname, 'plat.js') });
  const dialer = new PodDialer(access, { namespace, service, port });
  const stop = () => {
    server.close();
    access.close();
    end.close();
    log.close();
    // The record stays, for diagnosis.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal);
  };
  let asking: Promise<void> | undefined;
  const onFailure = () => {
    asking ??= end
      .find()
      .then((gone) => {
        asking = undefined;
        if (gone === undefined) return;
        log.write({ event: 'gone', fields: { message: gone } });
        stop();
      })
      .catch((error: unknown) => log.write({ event: 'failed', fields: { message: String(error) } }));
  };
  const server = new ForwardServer({ dialer, log, onFailure });
  await server.listen(localPort);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.write({ event: 'stopped', fields: { signal } });
      stop();
    });
  }
  // The terminal of the person who opened the environment may be closed.
  process.on('SIGHUP', () => undefined);
  process.on('uncaughtException', (error) => {
    log.write({ event: 'crashed', fields: { message: error.stack ?? error.message } });
    process.exitCode = 1;
    stop();
  });
  log.write({
    event: 'listening',
    fields: { port: localPort, service, namespace, context, pid: process.pid },
  });
  report({ listening: localPort, pid: process.pid });
}

async function main(): Promise<void> {
  try {
    await run(parseArguments(process.argv.slice(2)));
  } catch (error) {
    process.exitCode = 1;
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError) process.stderr.write(`${basename(process.argv[1] ?? '')}: ${message}\n`);
    report({ error: code ?? 'FAILED', message });
  }
}

void main();
