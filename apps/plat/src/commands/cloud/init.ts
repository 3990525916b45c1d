import { saveAlias } from '../../config/config-file';
import { aliasArgument } from '../../platform/alias-argument';
import { readPlatform } from '../../session/read-platform';
import { signInPlace } from '../../session/sign-in-place';
import { nextStep } from '../../terminal/next-step';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class CloudInit extends PlatCommand {
  static override summary = 'Store a platform on this machine under a short name';
  static override description =
    prose(`Reads the platform's public description and stores it as an alias. Does not sign in.
Replaces an alias of the same name. Tokens are asked for the API's own name for itself, which has to be at the address
that you give, unless that is a forward on this machine.`);
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
    audience: Flags.string({
      description: 'Name of the API for which tokens are asked (default: the one that it gives itself)',
      helpValue: '<url>',
    }),
    'dry-run': Flags.boolean({ description: 'Read the description, write nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(CloudInit);
    const reading = readPlatform(args.alias, flags['api-url'], flags.audience);
    const alias = await this.progress('Reading the platform', reading);
    if (flags['dry-run']) return this.showPlan([`alias ${alias.name}: ${signInPlace(alias)}`]);
    await saveAlias(this.environment.configFolder, alias);
    this.show(alias, () => `The alias ${alias.name} is ${signInPlace(alias)}.`);
    this.terminal.note(`next: ${nextStep('plat cloud login --alias', [alias.name])}`);
  }
}
