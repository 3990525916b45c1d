import { PlatformCommand } from '../../../platform/platform-command';
import { Flags } from '../../../terminal/oclif';
import { printableLine } from '../../../terminal/printable';
import { prose } from '../../../terminal/prose';
import { statusChange } from '../../../users/set-status';
import { userArgument } from '../../../users/tenant-users';

export class AdminUserEnable extends PlatformCommand {
  static override summary = 'Enable a user of your tenant who is disabled';
  static override description = prose(`The user is served again, with the same roles.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> alice',
    '<%= config.bin %> <%= command.id %> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11 --json',
  ];
  static override args = { user: userArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Find the user, change nothing' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AdminUserEnable);
    const platform = await this.platform(flags);
    const change = await statusChange(platform, args.user, 'ACTIVE');
    if (flags['dry-run']) return this.showPlan([change.plan]);
    const user = await this.progress('Enabling', change.apply());
    this.show(user, () => printableLine(`${user.username} is served again.`));
  }
}
