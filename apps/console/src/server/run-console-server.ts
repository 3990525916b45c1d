import { join } from 'node:path';
import { openConsoleFiles } from '@plat/console/files';
import { type ConsoleConfig, readConsoleConfig } from './config';
import { listen } from './console-listener';

const CHECK = '--check-config';
const USAGE_EXIT = 2;

/**
 * Serves the console's files until SIGTERM or SIGINT, then drains as the services do. With `--check-config` it reports
 * the faults of its configuration and starts nothing.
 */
export async function runConsoleServer(argv: readonly string[]): Promise<void> {
  if (argv.length > 0 && argv.join() !== CHECK) {
    process.stderr.write(`plat-console: unknown arguments. Usage: plat-console [${CHECK}]\n`);
    process.exitCode = USAGE_EXIT;
    return;
  }
  try {
    const config = readConsoleConfig();
    if (argv.length === 0) await serve(config);
    else process.stdout.write('plat-console: the configuration has no fault.\n');
  } catch (error) {
    process.stderr.write(`plat-console cannot start: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

async function serve({ host, port, drainSeconds, providerOrigins }: ConsoleConfig): Promise<void> {
  const files = await openConsoleFiles(join(__dirname, 'page'), providerOrigins);
  const { url, stop } = await listen({ files, host, port });
  log('listening', { address: url });
  const onSignal = (): void => {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    void stop(drainSeconds * 1000).then(() => log('stopped'));
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/** The number of the level `info` in the services' log, whose lines have the same fields. */
const INFO = 30;

function log(msg: string, fields: object = {}): void {
  const line = { level: INFO, time: new Date().toISOString(), service: 'console', ...fields, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
