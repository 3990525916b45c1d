import { commandWords } from '../completion/command-words';
import { completionScript, SHELLS } from '../completion/shell-completion';
import { Args } from '../terminal/oclif';
import { PlatCommand } from '../terminal/plat-command';

export class Completion extends PlatCommand {
  static override summary = 'Print the script with which a shell completes the commands of this client';
  static override examples = [
    'source <(<%= config.bin %> <%= command.id %> bash)',
    'source <(<%= config.bin %> <%= command.id %> zsh)',
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/plat.fish',
  ];
  static override args = {
    shell: Args.custom<(typeof SHELLS)[number]>({ options: [...SHELLS] })({
      description: 'The shell',
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args } = await this.parse(Completion);
    const script = completionScript(args.shell, await commandWords(this.host.commands));
    this.show({ shell: args.shell, script }, () => script.trimEnd());
  }
}
