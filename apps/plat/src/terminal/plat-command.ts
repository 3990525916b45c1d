import { type Environment, readEnvironment } from '../environment';
import { inKnownCase } from './any-case';
import type { CommandHost, PipedTexts } from './command-host';
import { Command, Flags } from './oclif';
import { wantsJson } from './output-mode';
import type { Progress } from './progress';
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
    debug: Flags.boolean({
      description: 'Say on stderr what is called and what comes back; tokens are masked',
      helpGroup: 'GLOBAL',
    }),
  };

  protected readonly environment: Environment = readEnvironment();
  /** Who runs the command; set by whoever made it, before it runs. */
  host!: CommandHost;

  /** Words of a choice are taken in any case. */
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

  /** Prints the command's result: the value itself with `--json`, else the view of it for a person. */
  protected show<T>(result: T, view: (result: T) => string | Table): void {
    if (wantsJson(this.argv)) this.terminal.json(result);
    else this.terminal.result(view(result));
  }

  /** Prints what would have been done, and says so. Decision G2. */
  protected showPlan(plan: readonly string[]): void {
    this.show({ dryRun: true, plan }, () => (plan.length === 0 ? 'Nothing would be done.' : plan.join('\n')));
  }
}
