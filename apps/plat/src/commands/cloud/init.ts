import { saveAlias } from '../../config/config-file';
import { aliasArgument } from '../../session/alias-argument';
import { readPlatform } from '../../session/read-platform';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class CloudInit extends PlatCommand {
  static override summary = 'Store a platform on this machine under a short name';
  static override description =
    prose(`Reads the platform's public description and stores it as an alias. Does not sign in.
Replaces an alias of the same name.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> work --api-url https://api.example.com',
    '<%= config.bin %> <%= command.id %> local --api-url http://127.0.0.1:7070 --json',
  ];
  static override args = {
    alias: aliasArgument,
  };
  static override flags = {
    'api-url': Flags.string({
      description: "Base address of the platform's API",
      required: true,
      helpValue: '<url>',
    }),
    'dry-run': Flags.boolean({ description: 'Read the description, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(CloudInit);
    const alias = await this.progress('Reading the platform', readPlatform(args.alias, flags['api-url']));
    if (flags['dry-run']) {
      return this.showPlan([`alias ${alias.name}: ${alias.apiUrl}, sign-in at ${alias.issuer}`]);
    }
    await saveAlias(this.environment.configFolder, alias);
    this.show(alias, () => `The alias ${alias.name} is ${alias.apiUrl}.`);
    this.terminal.note(`next: plat cloud login --alias ${alias.name}`);
  }
}
