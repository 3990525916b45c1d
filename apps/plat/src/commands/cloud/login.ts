import { Flags } from '@oclif/core';
import { apiFailure } from '../../session/api-failure';
import { openBrowser } from '../../session/browser';
import type { Platform } from '../../session/platform';
import { PlatformCommand } from '../../session/platform-command';
import { signIn, SIGN_IN_FLOWS, type SignInFlow, type SignInPrompt } from '../../session/sign-in';
import { refreshUsers } from '../../session/user-directory';
import { printableLine } from '../../terminal/printable';
import { prose } from '../../terminal/prose';

export class CloudLogin extends PlatformCommand {
  static override summary = 'Sign in to a platform';
  static override description =
    prose(`A person signs in on a web page; nothing else can stand in for that. With the device flow the page may be
opened anywhere. With the code flow the browser must run on this machine.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --flow code',
    '<%= config.bin %> <%= command.id %> --alias work --no-browser',
  ];
  static override flags = {
    flow: Flags.option({
      options: SIGN_IN_FLOWS,
      default: 'device' as SignInFlow,
      description: 'How to sign in',
    })(),
    browser: Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Open the page where a browser can be shown',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(CloudLogin);
    const platform = await this.platform(flags);
    const { alias } = platform;
    const mayOpen = flags.browser && this.terminal.interactive && this.environment.hasDisplay;
    const show = (prompt: SignInPrompt) => {
      this.ask(prompt);
      if (mayOpen) openBrowser(prompt.completeAddress ?? prompt.address);
    };
    const session = await signIn(this.environment.configFolder, alias, { flow: flags.flow, show });
    await this.fillUserDirectory(platform);
    const { subject, expiresAt } = session;
    const signedIn = { alias: alias.name, apiUrl: alias.apiUrl, issuer: alias.issuer, subject, expiresAt };
    this.show(signedIn, () => `Signed in to ${alias.name}${subject === undefined ? '' : ` as ${subject}`}.`);
  }

  /** Best effort: whoever may not list users is signed in all the same. Decision G4. */
  private async fillUserDirectory({ alias, api }: Platform): Promise<void> {
    try {
      await this.progress('Reading the users', refreshUsers(this.environment.configFolder, alias, api));
    } catch (error) {
      const failure = apiFailure(error);
      if (!failure) throw error;
      this.terminal.note(printableLine(`The directory of users was not read: ${failure.message}`));
    }
  }

  private ask({ address, code, completeAddress }: SignInPrompt): void {
    const note = (line: string) => this.terminal.note(printableLine(line));
    note(code === undefined ? `Open ${address}` : `Open ${address} and enter the code ${code}`);
    if (completeAddress !== undefined) note(`or open ${completeAddress}`);
    note('Waiting for you to sign in …');
  }
}
