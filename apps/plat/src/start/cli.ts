import { Config, Help } from '@oclif/core';
import { readEnvironment } from '../config/environment';
import { ExitCode } from '../terminal/exit-codes';
import { Failure } from '../terminal/failure';
import { wantsJson } from '../terminal/output-mode';
import { openTerminal } from '../terminal/terminal';
import { bundledPlugin, loadCommand } from './bundled-plugin';
import { COMMANDS, TOPICS, type CommandClass } from './commands';
import { reportFailure } from './report-failure';

/** oclif's own variables (PLAT_CONFIG_DIR and the like) are none of the contract's: they are ignored. */
class PlatConfig extends Config {
  override scopedEnvVarKeys(): string[] {
    return [];
  }

  override scopedEnvVar(): string | undefined {
    return undefined;
  }
}

/**
 * Runs one command line and sets the exit code of the process.
 *
 * @param argv the arguments after the program's own name.
 * @param root the folder of the bundle.
 */
export async function runCli(argv: string[], root: string, version: string): Promise<void> {
  toleratePipeEnd();
  try {
    await dispatch(argv, root, version);
  } catch (error) {
    process.exitCode = reportFailure(error, wantsJson(argv), openTerminal(readEnvironment()));
  }
}

async function dispatch(argv: string[], root: string, version: string): Promise<void> {
  const words = argv[0] === 'help' ? argv.slice(1) : argv;
  const id = commandId(words);
  if (asksForHelp(argv)) return showHelp(words, id, root, version);
  if (id === undefined) throw unknownCommand(words);
  const config = await loadConfig(root, version, {});
  const command = await loadCommand(id);
  await new command(words.slice(id.split(':').length), config).run();
}

/** The longest row of leading words that is a command: `review queue list` before `review`. */
function commandId(words: readonly string[]): string | undefined {
  const firstFlag = words.findIndex((word) => word.startsWith('-'));
  const names = words.slice(0, firstFlag < 0 ? undefined : firstFlag);
  for (let length = names.length; length > 0; length -= 1) {
    const id = names.slice(0, length).join(':');
    if (Object.hasOwn(COMMANDS, id)) return id;
  }
  return undefined;
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return (
    argv.length === 0 ||
    argv[0] === 'help' ||
    flags.includes('--help') ||
    flags.includes('-h') ||
    isTopic(argv)
  );
}

function isTopic(words: readonly string[]): boolean {
  return TOPICS.some((topic) => topic.name === words.join(':'));
}

async function showHelp(
  words: string[],
  id: string | undefined,
  root: string,
  version: string,
): Promise<void> {
  const subject = id?.split(':') ?? words.filter((word) => !word.startsWith('-'));
  if (id === undefined && subject.length > 0 && !isTopic(subject)) throw unknownCommand(subject);
  const described: Record<string, CommandClass> = {};
  await Promise.all(Object.keys(COMMANDS).map(async (name) => (described[name] = await loadCommand(name))));
  const config = await loadConfig(root, version, described);
  await new Help(config, config.pjson.oclif.helpOptions).showHelp(subject);
}

async function loadConfig(
  root: string,
  version: string,
  described: Readonly<Record<string, CommandClass>>,
): Promise<Config> {
  const plugins = new Map([['plat', bundledPlugin(root, version, described)]]);
  const config = new PlatConfig({ root, plugins });
  await config.load();
  return config;
}

function unknownCommand(words: readonly string[]): Failure {
  const typed = words.filter((word) => !word.startsWith('-')).join(' ');
  const near = Object.keys(COMMANDS).filter((id) => id.startsWith(words[0] ?? ''));
  return new Failure('UNKNOWN_COMMAND', `There is no command plat ${typed}.`, {
    exitCode: ExitCode.failed,
    next: near.length > 0 ? `plat ${words[0]} --help` : 'plat --help',
  });
}

/** A reader that stops early (`plat review list | head -1`) is no failure. */
function toleratePipeEnd(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
