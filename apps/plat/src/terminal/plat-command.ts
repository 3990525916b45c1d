import { type Environment, readEnvironment } from '../environment';
import { inKnownCase } from './any-case';
import type { CommandHost, PipedTexts } from './command-host';
import { Command, Flags } from './oclif';
import { wantsJson } from './output-mode';
import type { Progress } from './progress';
import type { Table } from './table';
import type { Terminal } from './terminal';

/** The common base of the client's commands: the output flags, the terminal, the environment. */
export abstract class PlatCommand extends Command {
  abstract override run(): Promise<void>;

  /** The input that the command reads with `host.readInput`, if it does. */
  static piped?: PipedTexts;

  static override baseFlags = {
    json: Flags.boolean({
      description: 'Print one JSON value on stdout, also for a failure',
      helpGroup: 'GLOBAL',
    }),
    output: Flags.string({
      description: 'json is the same as --json',
      options: ['text', 'json'],
      helpGroup: 'GLOBAL',
    }),
    debug: Flags.boolean({
      description: 'Print calls and answers on stderr, with tokens masked',
      helpGroup: 'GLOBAL',
    }),
  };

  protected readonly environment: Environment = readEnvironment();
  /** The command's surroundings, set by its creator before it runs. */
  host!: CommandHost;

  /** Values of a choice are accepted in any case. */
  protected override parse: Command['parse'] = (options, argv = this.argv) => {
    const { flags = {}, baseFlags = {} } = options ?? {};
    return super.parse(options, inKnownCase(argv, { ...baseFlags, ...flags }));
  };

  protected get progress(): Progress {
    return this.host.progress;
  }

  protected get terminal(): Terminal {
    return this.host.terminal;
  }

  /** Prints the command's result: the value itself with `--json`, otherwise its view for a person. */
  protected show<T>(result: T, view: (result: T) => string | Table): void {
    if (wantsJson(this.argv)) this.terminal.json(result);
    else this.terminal.result(view(result));
  }

  /** Prints the plan of a dry run. Rule G2. */
  protected showPlan(plan: readonly string[]): void {
    this.show({ dryRun: true, plan }, () => (plan.length === 0 ? 'Nothing would be done.' : plan.join('\n')));
  }
}
