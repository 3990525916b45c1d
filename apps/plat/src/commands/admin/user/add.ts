import { createUser } from '@plat/api-client';
import { defined } from '@plat/contracts/core';
import { PlatformCommand } from '../../../platform/platform-command';
import { nextStep } from '../../../terminal/next-step';
import { Args, Flags } from '../../../terminal/oclif';
import { printableLine } from '../../../terminal/printable';
import { prose } from '../../../terminal/prose';
import { tenantRoles } from '../../../users/tenant-users';

export class AdminUserAdd extends PlatformCommand {
  static override summary = 'Enrol a user in your tenant';
  static override description =
    prose(`The subject is the identity provider's name for the user, its tokens' claim sub; plat cloud login shows
it to a person who is not enrolled. plat admin user subject changes it later. Without a role the user may do nothing.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> alice --subject 248289761001 --role TenantUser',
    '<%= config.bin %> <%= command.id %> ci --subject ci --issuer https://id.example.com --role TenantAgent --json',
  ];
  static override args = {
    username: Args.string({ description: 'Unique in the tenant', required: true, ignoreStdin: true }),
  };
  static override flags = {
    subject: Flags.string({
      description: "The issuer's name for the user",
      helpValue: '<sub>',
      required: true,
    }),
    issuer: Flags.string({
      description: 'The issuer that the subject is of; required if several serve the tenant',
      helpValue: '<url>',
    }),
    role: Flags.string({
      description: 'Name or id of a role to hold; repeatable',
      helpValue: '<role>',
      multiple: true,
    }),
    'dry-run': Flags.boolean({ description: 'Check the roles, enrol no one' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AdminUserAdd);
    const platform = await this.platform(flags);
    const roles = await tenantRoles(platform.api, [...new Set(flags.role)]);
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('createUser')]);
    const { issuer, subject } = flags;
    const roleIds = roles.length === 0 ? undefined : roles.map(({ roleId }) => roleId);
    const body = { username: args.username, subject, ...defined({ issuer, roleIds }) };
    const user = await this.progress('Enrolling', createUser(platform.api, { body }));
    this.show(user, () => printableLine(`${user.username} is enrolled as ${user.userId}.`));
    if (roles.length === 0) {
      this.terminal.note(`next: ${nextStep('plat admin user roles', [user.userId], '--add TenantUser')}`);
    }
  }
}
