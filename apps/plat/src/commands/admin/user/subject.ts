import { setUserSubject } from '@plat/api-client';
import { defined } from '@plat/contracts/core';
import { PlatformCommand } from '../../../platform/platform-command';
import { Flags } from '../../../terminal/oclif';
import { printableLine } from '../../../terminal/printable';
import { prose } from '../../../terminal/prose';
import { tenantUser, userArgument } from '../../../users/tenant-users';

export class AdminUserSubject extends PlatformCommand {
  static override summary = 'Set by which subject a user of your tenant signs in';
  static override description =
    prose(`For a user who was enrolled without a subject, or whose subject has changed at the identity provider. It replaces
an earlier subject of the same issuer. You cannot change your own. For a user who holds roles you need the permission to
grant roles.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> alice --subject 248289761001',
    '<%= config.bin %> <%= command.id %> ci --subject ci --issuer https://id.example.com --json',
  ];
  static override args = { user: userArgument };
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
    'dry-run': Flags.boolean({ description: 'Find the user, change nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AdminUserSubject);
    const platform = await this.platform(flags);
    const { userId } = await tenantUser(platform.api, args.user);
    if (flags['dry-run']) return this.showPlan([platform.plannedCall('setUserSubject', { user_id: userId })]);
    const { subject, issuer } = flags;
    const body = { subject, ...defined({ issuer }) };
    const user = await this.progress('Setting the subject', setUserSubject(platform.api, { userId, body }));
    this.show(user, () => printableLine(`${user.username} signs in as ${subject}.`));
  }
}
