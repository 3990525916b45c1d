import { aliasStatus, type KnownAlias, listAliases } from '../../platform/alias-status';
import { PlatformCommand } from '../../platform/platform-command';
import { Flags } from '../../terminal/oclif';

export class CloudStatus extends PlatformCommand {
  static override summary = 'Show whether this machine can work with a platform, and as whom';
  static override description = `Asks the platform who the caller is. Exit code 0: signed in; 1: not; 127: no platform alias.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --alias work --json',
    '<%= config.bin %> <%= command.id %> --all',
  ];
  static override flags = {
    all: Flags.boolean({
      description: 'List every alias of this machine and call nothing',
      exclusive: ['alias'],
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(CloudStatus);
    if (flags.all) return this.showAll(await listAliases(this.environment.configFolder));
    const platform = await this.platform(flags);
    this.show(
      await this.progress('Asking the platform', aliasStatus(platform)),
      ({ alias, apiUrl, caller }) => ({
        columns: ['ALIAS', 'API', 'USER', 'TENANT', 'ROLES'],
        rows: [[alias, apiUrl, caller.username, caller.tenantId, caller.roles.join(', ')]],
        whenEmpty: '',
      }),
    );
  }

  private showAll(aliases: readonly KnownAlias[]): void {
    this.show(aliases, () => ({
      columns: ['ALIAS', 'KIND', 'API', { title: 'TOKEN EXPIRES', as: 'time' }, 'DEFAULT'],
      rows: aliases.map(({ alias, kind, apiUrl, expiresAt, isDefault }) => [
        alias,
        kind,
        apiUrl,
        expiresAt,
        isDefault ? 'yes' : undefined,
      ]),
      whenEmpty: 'No alias is configured. Next: plat cloud init <alias> --api-url <url>',
    }));
  }
}
