import { resolveAlias } from '../../config/alias-resolution';
import { saveDefaultAlias } from '../../config/config-file';
import { aliasArgument } from '../../platform/alias-argument';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class CloudUse extends PlatCommand {
  static override summary = 'Choose the platform alias that is used if none is named';
  static override description = 'Calls nothing. plat cloud status --all shows the chosen one.';
  static override examples = ['<%= config.bin %> <%= command.id %> work'];
  static override args = { alias: aliasArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Check the alias, write nothing' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(CloudUse);
    const { configFolder } = this.environment;
    const { name, apiUrl } = await resolveAlias(configFolder, args.alias);
    if (flags['dry-run']) return this.showPlan([`default alias: ${name}`]);
    await saveDefaultAlias(configFolder, name);
    this.show(
      { alias: name, apiUrl, isDefault: true },
      () => `${name} is meant where no alias is named: ${apiUrl}.`,
    );
  }
}
