import { PlatformCommand } from '../../../platform/platform-command';
import { Flags } from '../../../terminal/oclif';
import { printableLine } from '../../../terminal/printable';
import { prose } from '../../../terminal/prose';
import { statusChange } from '../../../users/set-status';
import { userArgument } from '../../../users/tenant-users';

export class AdminUserDisable extends PlatformCommand {
  static override summary = 'Disable a user of your tenant';
  static override description =
    prose(`From the next request on every request of the user is refused. What the user wrote stays, and so do the roles.
The last user who could grant roles cannot be disabled.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> alice',
    '<%= config.bin %> <%= command.id %> 0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11 --json',
  ];
  static override args = { user: userArgument };
  static override flags = { 'dry-run': Flags.boolean({ description: 'Find the user, change nothing' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AdminUserDisable);
    const platform = await this.platform(flags);
    const change = await statusChange(platform, args.user, 'DISABLED');
    if (flags['dry-run']) return this.showPlan([change.plan]);
    const user = await this.progress('Disabling', change.apply());
    this.show(user, () =>
      printableLine(`${user.username} is disabled, and refused from the next request on.`),
    );
  }
}
