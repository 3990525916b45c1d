import type { Config } from '@oclif/core';
import type { Environment } from '../environment';
import { ExitCode } from './exit-codes';
import { interruptible } from './interruption';
import type { Command } from './oclif';
import { type Progress, slowStepProgress } from './progress';
import { type PipedInput, pipedInput } from './standard-input';
import { openTerminal, type Terminal } from './terminal';

/** Who runs a command: where its result goes, what it reads beside its arguments, for whom it calls the platform. */
export interface CommandHost {
  terminal: Terminal;
  /** Told about each step of long work. */
  progress: Progress;
  /** Reads what comes beside the arguments. @param expected wait for it, however long it takes */
  readInput(expected: boolean): Promise<PipedInput>;
  /**
   * Runs work that whoever runs the command may stop: its signal then aborts, and its clean-up runs.
   *
   * @throws Failure INTERRUPTED from the aborted signal
   */
  interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T>;
  /** Told by a command that has a result to show and failed all the same. */
  fail(): void;
  /** Sent with every call to the platform. */
  apiHeaders: Readonly<Record<string, string>>;
  /** For the commands that are about the others. */
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
    readInput: pipedInput,
    interruptible,
    fail() {
      process.exitCode = ExitCode.failed;
    },
    apiHeaders: {},
    commands,
  };
}

/** What a command reads on stdin, as a host takes it that gives every command its input by name. */
export interface PipedTexts {
  /** Name of the input: a list of texts, which the command reads with NUL between them. */
  input: string;
  description: string;
  /** The flag by which a person says that something comes on stdin. */
  flag: string;
}

type StaticParts =
  'id' | 'strict' | 'args' | 'flags' | 'baseFlags' | 'summary' | 'description' | 'examples' | 'usage';

/** A command class as oclif reads it: flags, arguments and texts are static. */
export interface CommandClass extends Pick<typeof Command, StaticParts> {
  new (argv: string[], config: Config): Command & { host: CommandHost };
  piped?: PipedTexts;
}

/** Every command of the client, for the commands that are about the others. */
export interface CommandTable {
  /** Words with colons between them, such as `review:queue:list`. */
  ids: readonly string[];
  /** One at a time: loading a command hides globals for its time. */
  load(id: string): Promise<CommandClass>;
}
