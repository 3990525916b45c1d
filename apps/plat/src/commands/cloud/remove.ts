import { aliasArgument } from '../../platform/alias-argument';
import { forgetAlias, requireKnownAlias } from '../../platform/forget-alias';
import { Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';

export class CloudRemove extends PlatCommand {
  static override summary = 'Remove a platform alias, and sign out of it';
  static override description =
    "Removes the alias, its session and its copy of the tenant's users. Nothing changes on the platform.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> work',
    '<%= config.bin %> <%= command.id %> old --json',
  ];
  static override args = { alias: aliasArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Check the alias, remove nothing' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(CloudRemove);
    const { configFolder } = this.environment;
    const entry = await requireKnownAlias(configFolder, args.alias);
    if (flags['dry-run']) return this.showPlan([`remove the alias ${entry.name} and its session`]);
    const forgotten = await this.progress('Signing out', forgetAlias(configFolder, entry));
    this.show(forgotten, ({ alias, wasSignedIn }) =>
      wasSignedIn ? `Signed out of ${alias} and forgot it.` : `Forgot ${alias}.`,
    );
  }
}
