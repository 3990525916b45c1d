import { Command, Flags } from '@oclif/core';
import { readEnvironment, type Environment } from '../config/environment';
import { commandLineHost, type CommandHost, type PipedTexts } from './command-host';
import { wantsJson } from './output-mode';
import { slowStepProgress, type Progress } from './progress';
import type { Table } from './table';
import type { Terminal } from './terminal';

/** What every command of the client has: the output flags, the terminal, the environment. */
export abstract class PlatCommand extends Command {
  abstract override run(): Promise<void>;

  /** What the command reads by `host.readInput`, if it does. */
  static piped?: PipedTexts;

  static override baseFlags = {
    json: Flags.boolean({
      description: 'Print one JSON value on stdout, in failure as well',
      helpGroup: 'GLOBAL',
    }),
    output: Flags.string({
      description: 'The same as --json when it is json',
      options: ['text', 'json'],
      helpGroup: 'GLOBAL',
    }),
  };

  protected readonly environment: Environment = readEnvironment();
  /** Who runs the command: the command line, unless whoever made it sets another before it runs. */
  host: CommandHost = commandLineHost(this.environment);
  /** Says on stderr what takes over a second. */
  protected readonly progress: Progress = slowStepProgress((line) => {
    if (!this.environment.idleProbe) this.terminal.note(line);
  });

  protected get terminal(): Terminal {
    return this.host.terminal;
  }

  /** Prints the command's result: the value itself with `--json`, else the view of it for a person. */
  protected show<T>(result: T, view: (result: T) => string | Table): void {
    if (wantsJson(this.argv)) this.terminal.json(result);
    else this.terminal.result(view(result));
  }

  /** Prints what would have been done, and says so. Decision G2. */
  protected showPlan(plan: readonly string[]): void {
    this.show({ dryRun: true, plan }, () => plan.join('\n'));
  }
}
