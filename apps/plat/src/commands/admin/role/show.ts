import { getRole } from '@plat/api-client';
import { PlatformCommand } from '../../../platform/platform-command';
import { Args } from '../../../terminal/oclif';
import { prose } from '../../../terminal/prose';
import { permittedRoutes, roleRouteTable } from '../../../users/role-view';
import { tenantRoles } from '../../../users/tenant-users';

export class AdminRoleShow extends PlatformCommand {
  static override summary = 'List the routes that a role permits, and the commands that call them';
  static override description = prose(
    `The routes are those that this version of the client knows. With --json the rules of the role are shown too.`,
  );
  static override examples = [
    '<%= config.bin %> <%= command.id %> TenantUser',
    '<%= config.bin %> <%= command.id %> TenantUser --json',
  ];
  static override args = {
    role: Args.string({
      description: 'Name or id of a role of your tenant',
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AdminRoleShow);
    const { api } = await this.platform(flags);
    const [found] = await tenantRoles(api, [args.role]);
    const role = await this.progress('Reading the role', getRole(api, { roleId: found!.roleId }));
    this.show({ ...role, routes: permittedRoutes(role.permissions) }, roleRouteTable);
  }
}
