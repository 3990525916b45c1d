import type { Environment } from '../config/environment';
import { ExitCode } from './exit-codes';
import { pipedInput, type PipedInput } from './standard-input';
import { openTerminal, type Terminal } from './terminal';

/** Who runs a command: where its result goes, what it reads beside its arguments, for whom it calls the platform. */
export interface CommandHost {
  terminal: Terminal;
  /** Reads what comes beside the arguments. @param expected wait for it, however long it takes */
  readInput(expected: boolean): Promise<PipedInput>;
  /** Told by a command that has a result to show and failed all the same. */
  fail(): void;
  /** Sent with every call to the platform. */
  apiHeaders: Readonly<Record<string, string>>;
}

/** The command line: the streams and the exit code of this process. */
export function commandLineHost(environment: Environment): CommandHost {
  return {
    terminal: openTerminal(environment),
    readInput: pipedInput,
    fail() {
      process.exitCode = ExitCode.failed;
    },
    apiHeaders: {},
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
