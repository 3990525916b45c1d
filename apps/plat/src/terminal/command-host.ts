import type { Config } from '@oclif/core';
import type { Environment } from '../environment';
import { ExitCode } from './exit-codes';
import { interruptible } from './interruption';
import type { Command } from './oclif';
import { type Progress, slowStepProgress } from './progress';
import { readStandardInput } from './standard-input';
import { openTerminal, type Terminal } from './terminal';

/** The surroundings of a command: the place of its result, its further input, and its caller at the platform. */
export interface CommandHost {
  terminal: Terminal;
  /** Called with each step of long work. */
  progress: Progress;
  /** Reads the input that the caller has announced, to its end. */
  readInput(): Promise<string>;
  /**
   * Runs work that can be stopped from outside: its signal is then aborted, and its clean-up runs.
   *
   * @throws Failure INTERRUPTED from the aborted signal
   */
  interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T>;
  /** Called by a command that shows a result and has failed nevertheless. @param code default `ExitCode.failed` */
  fail(code?: ExitCode): void;
  /** Sent with every call to the platform. */
  apiHeaders: Readonly<Record<string, string>>;
  /** Names of the variables with secrets that the programs of a gate, a build or a job get, besides the flags' own. */
  passed: readonly string[];
  /** Base address of the forge's API, for a command without a flag of its own. */
  forgeUrl?: string | undefined;
  /** Whether an agent calls, which may name no file outside the project. */
  agent?: boolean;
  /** For the commands that need all others. */
  commands: CommandTable;
}

/** The command line: the streams and the exit code of this process. */
export function commandLineHost(environment: Environment, commands: CommandTable): CommandHost {
  const terminal = openTerminal(environment);
  return {
    terminal,
    progress: slowStepProgress((line) => {
      if (!environment.idleProbe) terminal.note(line);
    }),
    readInput: readStandardInput,
    interruptible,
    fail(code = ExitCode.failed) {
      process.exitCode = code;
    },
    apiHeaders: {},
    passed: [],
    commands,
  };
}

/** A command's input on stdin, for a host that passes every input by name. */
export interface PipedTexts {
  /** Name of the input: a list of texts, which the command reads with NUL between them. */
  input: string;
  description: string;
  /** The flag by which a person announces input on stdin. */
  flag: string;
}

type StaticParts =
  'id' | 'strict' | 'args' | 'flags' | 'baseFlags' | 'summary' | 'description' | 'examples' | 'usage';

/** A command class in oclif's form: flags, arguments and texts are static. */
export interface CommandClass extends Pick<typeof Command, StaticParts> {
  new (argv: string[], config: Config): Command & { host: CommandHost };
  piped?: PipedTexts;
}

/** Every command of the client, for commands that need all of them. */
export interface CommandTable {
  /** Words with colons between them, such as `review:queue:list`. */
  ids: readonly string[];
  /** Loads one command at a time, because loading hides globals meanwhile. */
  load(id: string): Promise<CommandClass>;
}
