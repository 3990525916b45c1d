import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import type { ServiceName } from '@plat/contracts/core';
import { closeTracing, startTelemetry } from '@plat/telemetry';
import { checkConfig } from '../configuration/check-config';
import { ConfigError, readConfig, type ServiceConfig } from '../configuration/config';
import { followConfigFiles } from '../configuration/config-reload';
import { createLog } from '../log/log';
import { openStandardOutput } from '../log/log-output';
import { createApplication } from './application';
import { listenAt } from './listen';
import { openServiceContext, type ServiceContext } from './service-context';

/** A service that can run as a process of its own. */
export interface ServiceDefinition<Config extends ServiceConfig> {
  name: ServiceName;
  config: new () => Config;
  module(context: ServiceContext, config: Config): DynamicModule;
}

const CHECK = '--check-config';
const USAGE_EXIT = 2;

/**
 * Runs one service until SIGTERM or SIGINT. Then it reports that it is not ready, drains and lets requests in flight
 * finish. If the service cannot start, one message on stderr says why and the process exits with 1. With
 * `--check-config` it reports the faults of its configuration, exits with 1 if there are any, and starts nothing.
 */
export async function runService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const { name, config } = definition;
  if (argv.length === 1 && argv[0] === CHECK) {
    const { isValid, text } = checkConfig(name, config);
    (isValid ? process.stdout : process.stderr).write(text);
    process.exitCode = isValid ? 0 : 1;
    return;
  }
  if (argv.length > 0) {
    process.stderr.write(`plat-${name}: unknown arguments. Usage: plat-${name} [${CHECK}]\n`);
    process.exitCode = USAGE_EXIT;
    return;
  }
  try {
    await start(definition);
  } catch (error) {
    process.stderr.write(`plat-${definition.name} cannot start: ${describe(error)}\n`);
    process.exitCode = 1;
  }
}

async function start<Config extends ServiceConfig>(definition: ServiceDefinition<Config>): Promise<void> {
  const config = readConfig(definition.config);
  const log = createLog(definition.name, config.LOG_LEVEL);
  await startTelemetry({
    service: `plat-${definition.name}`,
    version: config.VERSION,
    warn: (problem, err) => log.warn({ err }, problem),
  });
  const context = await openServiceContext(definition.name, config, log);
  try {
    const application = await createApplication([{ context, module: definition.module(context, config) }], {
      log,
      output: openStandardOutput(),
      allowHttpIssuers: config.ALLOW_HTTP_ISSUERS,
      drainSeconds: config.DRAIN_SECONDS,
    });
    await listenAt(application, config);
    followConfigFiles(config, {
      shape: definition.config,
      log,
      metrics: context.metrics,
      changed: () => context.configChanged(),
    });
    log.info({ address: await application.getUrl() }, 'listening');
    stopOnSignal(async () => {
      await application.close();
      await context.close();
      await closeTracing();
      log.info('stopped');
    }, config.DRAIN_SECONDS + config.SHUTDOWN_SECONDS);
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** Stops on the first signal. The process ends even if stopping takes too long. */
function stopOnSignal(stop: () => Promise<void>, secondsMax: number): void {
  const onSignal = () => {
    process.removeListener('SIGTERM', onSignal).removeListener('SIGINT', onSignal);
    // eslint-disable-next-line no-restricted-properties -- hanging work would keep the process alive for ever
    setTimeout(() => process.exit(1), secondsMax * 1000).unref();
    void stop()
      .catch((error: unknown) => {
        process.stderr.write(`The service did not stop as it should: ${describe(error)}\n`);
        process.exitCode = 1;
      })
      .then(endLog);
  };
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
}

/** Ends the log. The process ends even if no program reads the log. */
async function endLog(): Promise<void> {
  // eslint-disable-next-line no-restricted-properties -- unread lines would keep the process alive for ever
  if (!(await openStandardOutput().end())) process.exit();
}

/** A message on which a person can act. It names the database's address, never its password. */
function describe(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  return (
    [message, code && !message?.includes(code) ? `(${code})` : ''].filter(Boolean).join(' ') || String(error)
  );
}
