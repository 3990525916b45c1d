import { PlatformCommand } from '../../../platform/platform-command';
import { Flags } from '../../../terminal/oclif';
import { tenantUsers } from '../../../users/tenant-users';
import { userTable } from '../../../users/user-view';

export class AdminUserList extends PlatformCommand {
  static override summary = 'List the users of your tenant, as the platform has them now';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --disabled --json',
  ];
  static override flags = { disabled: Flags.boolean({ description: 'Only users who are disabled' }) };

  override async run(): Promise<void> {
    const { flags } = await this.parse(AdminUserList);
    const { api } = await this.platform(flags);
    const users = await this.progress('Listing the users', tenantUsers(api));
    this.show(
      users.filter(({ disabledAt }) => !flags.disabled || disabledAt !== undefined),
      userTable,
    );
  }
}
