import type { ProcessIdentity } from '@plat/local';
import { runGroup } from '../processes/process-group';
import { Failure } from '../terminal/failure';
import { OutputTail } from '../terminal/output-tail';
import { shellQuote } from '../terminal/shell-quote';
import type { BuilderCommand } from './builder';

/** How a build's programs are run. */
export interface Workbench {
  folder: string;
  /** Changes to the user's own variables, for every program. */
  variables?: Readonly<Record<string, string>>;
  /** Ends the program and everything that it started. */
  interrupted: AbortSignal;
  /** Told what the programs print, as it comes. */
  output(chunk: Buffer): void;
  /** Told of each program before it begins. */
  beginning?(leader: ProcessIdentity): Promise<void>;
}

export interface BuilderRun {
  /** What is being done, for the message: `The build of app`. */
  what: string;
  command: BuilderCommand;
  /** Told what is printed, in pieces. */
  read?(chunk: string): void;
}

/** What a program of a build ended with, other than 0. */
export class BuilderFailed extends Failure {
  constructor(
    what: string,
    /** The end of what it printed, without the tokens in it. */
    readonly said: string,
    how: string,
  ) {
    super('BUILD_FAILED', `${what} failed: it ${how}.${said === '' ? '' : `\n${said}`}`, {
      brief: `${what} failed: it ${how}. What it printed stands above.`,
      next: 'correct what it says, then repeat the command',
    });
  }
}

/** Runs one program of a build. @throws BuilderFailed, or what `interrupted` was aborted with */
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

/** The program as `--dry-run` prints it. Decision G2. */
export function plannedCommand({ argv, variables = {} }: BuilderCommand): string {
  const changes = Object.entries(variables).map(([name, value]) => `${name}=${shellQuote([value])}`);
  return [...changes, shellQuote(argv)].join(' ');
}
