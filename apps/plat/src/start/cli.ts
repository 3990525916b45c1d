import { Config, Help } from '@oclif/core';
import { readEnvironment } from '../config/environment';
import { Failure } from '../terminal/failure';
import { wantsJson } from '../terminal/output-mode';
import { openTerminal } from '../terminal/terminal';
import { bundledPlugin, loadCommand, type Bundle } from './bundled-plugin';
import { readCommandLine } from './command-line';
export { commandReference } from './command-reference';
import { COMMANDS, type CommandClass } from './commands';
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
 */
export async function runCli(argv: readonly string[], bundle: Bundle): Promise<void> {
  toleratePipeEnd();
  try {
    await dispatch(argv, bundle);
  } catch (error) {
    process.exitCode = reportFailure(error, wantsJson(argv), openTerminal(readEnvironment()));
  }
}

async function dispatch(argv: readonly string[], bundle: Bundle): Promise<void> {
  const request = readCommandLine(argv);
  switch (request.kind) {
    case 'run': {
      const [config, command] = await Promise.all([loadConfig(bundle), loadCommand(request.id)]);
      return new command(request.argv, config).run();
    }
    case 'help':
      return showHelp(request.subject, bundle);
    case 'unknown':
      throw unknownCommand(request.words);
  }
}

async function showHelp(subject: string[], bundle: Bundle): Promise<void> {
  const described: Record<string, CommandClass> = {};
  for (const id of Object.keys(COMMANDS)) described[id] = await loadCommand(id);
  const config = await loadConfig(bundle, described);
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
  return new Failure('UNKNOWN_COMMAND', `There is no command plat ${words.join(' ')}.`, {
    next: isTopic ? `plat ${topic} --help` : 'plat --help',
  });
}

/** A reader that stops early (`plat review list | head -1`) is no failure. */
function toleratePipeEnd(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
