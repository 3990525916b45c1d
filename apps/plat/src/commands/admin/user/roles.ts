import { PlatformCommand } from '../../../platform/platform-command';
import { Flags } from '../../../terminal/oclif';
import { prose } from '../../../terminal/prose';
import { changeRoles, roleChange } from '../../../users/change-roles';
import { tenantUser, userArgument } from '../../../users/tenant-users';
import { roleTable } from '../../../users/user-view';

export class AdminUserRoles extends PlatformCommand {
  static override summary = 'List the roles of a user, give roles and take them';
  static override description =
    prose(`Shows the roles that the user holds then. A role that is held already is not given again, so the command can be repeated.
A role cannot be taken if no one could grant roles afterwards.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> alice',
    '<%= config.bin %> <%= command.id %> alice --add TenantAdmin --remove TenantUser --json',
  ];
  static override args = { user: userArgument };
  static override flags = {
    add: Flags.string({
      description: 'Name or id of a role to give; repeatable',
      helpValue: '<role>',
      multiple: true,
    }),
    remove: Flags.string({
      description: 'Name or id of a role to take; repeatable',
      helpValue: '<role>',
      multiple: true,
    }),
    'dry-run': Flags.boolean({ description: 'Find user and roles, change nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AdminUserRoles);
    const platform = await this.platform(flags);
    const { userId } = await tenantUser(platform.api, args.user);
    const change = await roleChange(platform.api, userId, {
      add: flags.add ?? [],
      remove: flags.remove ?? [],
    });
    if (flags['dry-run']) {
      return this.showPlan([
        ...change.add.map(() => platform.plannedCall('grantRole', { user_id: userId })),
        ...change.remove.map(({ roleId }) =>
          platform.plannedCall('revokeRole', { user_id: userId, role_id: roleId }),
        ),
      ]);
    }
    const roles = await this.progress('Changing the roles', changeRoles(platform.api, userId, change));
    this.show(roles, roleTable);
  }
}
