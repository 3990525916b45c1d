import { PlatformCommand } from '../../platform/platform-command';
import { readCachedUsers, refreshUsers, type UserDirectory } from '../../platform/user-directory';
import { Flags } from '../../terminal/oclif';
import type { Table } from '../../terminal/table';

export class CloudUsers extends PlatformCommand {
  static override summary = "List the users of your tenant, from this machine's copy of the directory";
  static override description =
    'The copy is made at sign-in, or now if there is none. Only its users can be assigned to review.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --refresh --json',
  ];
  static override flags = {
    refresh: Flags.boolean({ description: 'Read the directory from the platform again' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(CloudUsers);
    const { alias, api } = await this.platform(flags);
    const { configFolder } = this.environment;
    const cached = flags.refresh ? undefined : await readCachedUsers(configFolder, alias);
    const directory =
      cached ?? (await this.progress('Reading the users', refreshUsers(configFolder, alias, api)));
    this.show(directory, usersTable);
  }
}

function usersTable({ users }: UserDirectory): Table {
  return {
    columns: [{ title: 'USER', as: 'id' }, 'NAME'],
    rows: users.map(({ userId, username }) => [userId, username]),
    whenEmpty: 'Your tenant has no users.',
  };
}
