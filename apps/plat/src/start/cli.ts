import { Config } from '@oclif/core/config';
import { nearest } from '@plat/local';
import { closeTracing, startTelemetry, traced as tracedSpan } from '@plat/telemetry';
import { contractVariables } from '../config/contract-variables';
import { OF_EVERY_COMMAND, readEnvironment } from '../environment';
import { reportFailure } from '../failures/report-failure';
import { runFitting } from '../failures/run-fitting';
import { type CommandClass, commandLineHost } from '../terminal/command-host';
import { Failure } from '../terminal/failure';
import { endWhenStopped } from '../terminal/interruption';
import { nextStep } from '../terminal/next-step';
import { wantsJson, wantsTrace } from '../terminal/output-mode';
import { openTerminal } from '../terminal/terminal';
import { traced } from '../terminal/trace';
import { type Bundle, bundledPlugin, commandTable } from './bundled-plugin';
import { readCommandLine } from './command-line';
export { commandReference } from './command-reference';
import { COMMANDS } from './commands';
import { requireHome } from './require-home';
import { reportIfUnfinished } from './unfinished-work';

/**
 * Ignores oclif's own variables (PLAT_CONFIG_DIR and the like) and its theme file, which the contract does not list.
 */
class PlatConfig extends Config {
  override scopedEnvVarKeys(): string[] {
    return [];
  }

  override scopedEnvVar(): string | undefined {
    return undefined;
  }

  override async loadTheme(): Promise<undefined> {
    return undefined;
  }
}

/**
 * Runs one command line and sets the exit code of the process.
 *
 * @param argv the arguments after the program's own name
 */
export async function runCli(argv: readonly string[], bundle: Bundle): Promise<void> {
  const terminal = openTerminal(readEnvironment());
  const report = (error: unknown) => {
    process.exitCode = reportFailure(error, wantsJson(argv), terminal);
  };
  const onOutput = onOutputFailure((error) => {
    // Decided by stderr, also with --json, because stdout gets no progress.
    process.exitCode = reportFailure(error, false, terminal);
  });
  process.stdout.on('error', onOutput);
  endWhenStopped(report);
  const run = () => dispatch(argv, { bundle, onOutput });
  try {
    await reportIfUnfinished(() => {
      return wantsTrace(argv) ? traced((line) => terminal.note(line), run) : run();
    }, report);
  } catch (error) {
    report(error);
  }
}

interface Surroundings {
  bundle: Bundle;
  /** Called if stdout cannot be written. */
  onOutput: OutputListener;
}

async function dispatch(argv: readonly string[], { bundle, onOutput }: Surroundings): Promise<void> {
  const environment = readEnvironment();
  contractVariables(environment, OF_EVERY_COMMAND);
  requireHome(environment);
  const request = readCommandLine(argv);
  switch (request.kind) {
    case 'run': {
      const [config, commandClass] = await Promise.all([loadConfig(bundle), commandTable.load(request.id)]);
      listenAlone(onOutput);
      const command = new commandClass(request.argv, config);
      command.host = commandLineHost(environment, commandTable);
      const run = () => runFitting(command, commandClass);
      return inTrace(`plat ${request.id.replaceAll(':', ' ')}`, bundle.version, run);
    }
    case 'help':
      return showHelp(request.subject, { bundle, onOutput });
    case 'unknown':
      throw unknownCommand(request.words);
    case 'flag first':
      throw new Failure('USAGE', `${request.flag} stands before any command.`, {
        next: 'put the command first, then its flags: plat review list --json',
      });
  }
}

/** Runs a command, in a span of its own if OTEL_* asks for that. Its calls carry the trace on. */
async function inTrace(name: string, version: string, run: () => Promise<void>): Promise<void> {
  const terminal = openTerminal(readEnvironment());
  await startTelemetry({
    service: 'plat',
    version,
    warn: (problem, cause) => terminal.note(`${problem}: ${String(cause)}`),
  });
  try {
    await tracedSpan({ name, kind: 'internal' }, run);
  } finally {
    await closeTracing();
  }
}

/** Replaces oclif's own listener: it throws, which would end the process and print the listener's source. */
function listenAlone(onOutput: OutputListener): void {
  process.stdout.removeAllListeners('error').on('error', onOutput);
}

async function showHelp(subject: string[], { bundle, onOutput }: Surroundings): Promise<void> {
  const described: Record<string, CommandClass> = {};
  for (const id of commandTable.ids) described[id] = await commandTable.load(id);
  const config = await loadConfig(bundle, described);
  const { Help } = await import('@oclif/core/help');
  listenAlone(onOutput);
  await new Help(config, config.pjson.oclif.helpOptions).showHelp(subject);
}

async function loadConfig(
  bundle: Bundle,
  described: Readonly<Record<string, CommandClass>> = {},
): Promise<Config> {
  const plugins = new Map([['plat', bundledPlugin(bundle, described)]]);
  const config = new PlatConfig({ root: bundle.root, plugins });
  await config.load();
  return config;
}

function unknownCommand(words: readonly string[]): Failure {
  const [topic = ''] = words;
  const isTopic = Object.keys(COMMANDS).some((id) => id.startsWith(`${topic}:`));
  const line = words.join(' ');
  const meant = commandMeant(words) ?? (isTopic ? `${topic} --help` : '--help');
  return new Failure('UNKNOWN_COMMAND', `There is no command plat ${line}.`, {
    next: nextStep(['plat', ...meant.split(' ')]),
  });
}

/** The command that the leading words most likely stand for. The words after it may be its arguments. */
function commandMeant(words: readonly string[]): string | undefined {
  const known = Object.keys(COMMANDS).map((id) => id.replaceAll(':', ' '));
  for (let count = words.length; count > 0; count -= 1) {
    const meant = nearest(
      words.slice(0, count).join(' '),
      known.filter((command) => command.split(' ').length === count),
    );
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/**
 * A reader that stops early (`plat review list | head -1`) is no failure, but a disk without space for the result is.
 */
function onOutputFailure(report: (error: Error) => void): OutputListener {
  // If stderr fails, no one can read a report.
  process.stderr.on('error', () => undefined);
  let isTold = false;
  return (error) => {
    if (error.code !== 'EPIPE' && !isTold) report(error);
    isTold = true;
  };
}

type OutputListener = (error: NodeJS.ErrnoException) => void;
