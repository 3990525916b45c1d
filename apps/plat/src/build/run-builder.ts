import type { ProcessIdentity } from '@plat/local';
import { runGroup } from '../processes/process-group';
import type { PassedNames } from '../secret-variables';
import { Failure } from '../terminal/failure';
import { OutputTail } from '../terminal/output-tail';
import { shellQuote } from '../terminal/shell-quote';
import type { BuilderCommand } from './builder';

/** The surroundings of a build's programs. */
export interface Workbench {
  folder: string;
  /** Changes to the user's own variables, for every program. */
  variables?: Readonly<Record<string, string>>;
  /** The user's secrets that the programs get, by the names of their variables. Default none. */
  passed?: PassedNames;
  /** Ends the program and all processes that it started. */
  interrupted: AbortSignal;
  /** Called with the output of the programs as it arrives. */
  output(chunk: Buffer): void;
  /** Called with each program before it begins. */
  beginning?(leader: ProcessIdentity): Promise<void>;
}

export interface BuilderRun {
  /** The activity, for the message: `The build of app`. */
  what: string;
  command: BuilderCommand;
  /** Called with the output in chunks. */
  read?(chunk: string): void;
}

/** A program of a build ended with another exit code than 0. */
export class BuilderFailed extends Failure {
  constructor(
    what: string,
    /** The end of its output, without the tokens in it. */
    readonly said: string,
    how: string,
  ) {
    super('BUILD_FAILED', `${what} failed: it ${how}.${said === '' ? '' : `\n${said}`}`, {
      brief: `${what} failed: it ${how}. Its output is above.`,
      next: 'correct the reported problem, then repeat the command',
    });
  }
}

/** Runs one program of a build. @throws BuilderFailed, or the reason with which `interrupted` was aborted */
export async function runBuilder(workbench: Workbench, { what, command, read }: BuilderRun): Promise<void> {
  const tail = new OutputTail();
  const { code, signal } = await runGroup({
    ...workbench,
    argv: command.argv,
    variables: { ...workbench.variables, ...command.variables },
    output(chunk) {
      workbench.output(chunk);
      read?.(chunk.toString('utf8'));
      tail.add(chunk);
    },
  });
  if (code === 0) return;
  const how = code === null ? `was ended by ${signal}` : `exited with ${code}`;
  throw new BuilderFailed(what, tail.text(), how);
}

/** The program as `--dry-run` prints it. Rule G2. */
export function plannedCommand({ argv, variables = {} }: BuilderCommand): string {
  const changes = Object.entries(variables).map(([name, value]) => `${name}=${shellQuote([value])}`);
  return [...changes, shellQuote(argv)].join(' ');
}
