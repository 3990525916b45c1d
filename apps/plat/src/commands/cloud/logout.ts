import { PlatformCommand } from '../../platform/platform-command';
import { signOut } from '../../session/sign-out';

export class CloudLogout extends PlatformCommand {
  static override summary = 'Sign out: remove the session, and revoke it at the identity provider';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --alias work --json',
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(CloudLogout);
    const { alias } = await this.platform(flags);
    const signedOut = await this.progress('Signing out', signOut(this.environment.configFolder, alias));
    this.show(signedOut, ({ wasSignedIn }) =>
      wasSignedIn ? `Signed out of ${alias.name}.` : `No one was signed in to ${alias.name}.`,
    );
  }
}
