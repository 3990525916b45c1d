import { Counter, type Registry } from 'prom-client';
import type { Log } from '../log/log';
import {
  changedLoginFaults,
  ConfigError,
  type Environment,
  ownEnvironment,
  readConfig,
  type ServiceConfig,
} from './config';
import { fileVariables, namedFiles, startVariables, withFiles } from './config-files';
import { Secret } from './secret';

/** How long a replaced file may stay unnoticed, in milliseconds. */
const INTERVAL_MS = 2_000;

export interface ReloadOptions<Config extends ServiceConfig> {
  shape: new () => Config;
  environment?: Environment;
  log: Log;
  metrics: Registry;
  /** Called after variables have changed. */
  changed(): void;
  intervalMs?: number;
}

/**
 * Reads the files of a configuration again while the process runs. A variable whose file has another content changes in
 * `config` itself. If the files make a configuration with a fault, the values before stay in force, and the log and
 * `plat_configuration_reloads_total` report it. A variable of `@ReadAtStart` keeps its value, which the log reports.
 * The content is compared, because Kubernetes replaces a mounted secret by swapping a link to its folder, which no
 * watch of the file notices.
 *
 * @returns a function that ends it
 */
export function followConfigFiles<Config extends ServiceConfig>(
  config: Config,
  options: ReloadOptions<Config>,
): () => void {
  const { shape, environment = ownEnvironment(), intervalMs = INTERVAL_MS } = options;
  if (namedFiles(shape, environment).size === 0) return () => undefined;
  const follower = new ConfigFollower(config, { ...options, environment });
  const timer = setInterval(() => follower.look(), intervalMs).unref();
  return () => clearInterval(timer);
}

class ConfigFollower<Config extends ServiceConfig> {
  /** The content, or the faults, that was looked at last. */
  private seen = '';
  private readonly reloads: Counter<'result'>;

  constructor(
    private readonly config: Config,
    private readonly options: ReloadOptions<Config> & { environment: Environment },
  ) {
    this.reloads = new Counter({
      name: 'plat_configuration_reloads_total',
      help: 'Replaced files of the configuration, by outcome',
      labelNames: ['result'],
      registers: [options.metrics],
    });
    for (const result of ['applied', 'refused']) this.reloads.inc({ result }, 0);
  }

  look(): void {
    const { shape, environment, log } = this.options;
    const read = withFiles(shape, environment);
    const seen = JSON.stringify([fileVariables(shape).map((name) => read.values[name]), read.faults]);
    if (seen === this.seen) return;
    this.seen = seen;
    try {
      const fresh = readConfig(shape, environment);
      const faults = changedLoginFaults(this.config, fresh);
      if (faults.length > 0) throw new ConfigError(faults);
      this.apply(fresh);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.reloads.inc({ result: 'refused' });
      log.error(
        { faults: error.faults },
        'the replaced configuration has faults; the one before stays in force',
      );
    }
  }

  private apply(fresh: Config): void {
    const { shape, log, changed } = this.options;
    const names = fileVariables(shape) as (keyof Config & string)[];
    const different = names.filter((name) => textOf(this.config[name]) !== textOf(fresh[name]));
    const kept = different.filter((name) => startVariables(shape).includes(name));
    if (kept.length > 0) log.warn({ variables: kept }, 'replaced files are taken over at the next start');
    const replaced = different.filter((name) => !kept.includes(name));
    if (replaced.length === 0) return;
    for (const name of replaced) this.config[name] = fresh[name];
    changed();
    this.reloads.inc({ result: 'applied' });
    log.info({ variables: replaced }, 'the configuration was replaced');
  }
}

const textOf = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);
