import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openConsoleFiles } from '@plat/console/files';
import { type ConsoleConfig, readConsoleConfig } from './config';

const CHECK = '--check-config';
const USAGE_EXIT = 2;
/** Longer than a load balancer's idle time, so that the server never closes a connection that the balancer uses. */
const KEEP_ALIVE_MS = 72_000;

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
  let isReady = true;
  const server = createServer((req, res) => {
    // A kept connection would delay the end of the process until its client closes it.
    if (!isReady) res.setHeader('connection', 'close');
    if (!files(req, res)) answerElse(req, res, isReady);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await once(server.listen(port, host), 'listening');
  log('listening', { address: `http://${host}:${(server.address() as AddressInfo).port}` });
  const stop = async (): Promise<void> => {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    isReady = false;
    await delay(drainSeconds * 1000);
    await closed(server);
    log('stopped');
  };
  const onSignal = (): void => void stop();
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

function answerElse({ url }: IncomingMessage, res: ServerResponse, isReady: boolean): void {
  const probed = url === '/healthz' || (url === '/readyz' && isReady);
  const status = probed ? 200 : url === '/readyz' ? 503 : 404;
  const body = probed ? { status: 'ok' } : { code: status === 404 ? 'NOT_FOUND' : 'SERVICE_UNAVAILABLE' };
  res.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  res.end(JSON.stringify(body));
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await ended;
}

/** The number of the level `info` in the services' log, whose lines have the same fields. */
const INFO = 30;

function log(msg: string, fields: object = {}): void {
  const line = { level: INFO, time: new Date().toISOString(), service: 'console', ...fields, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
