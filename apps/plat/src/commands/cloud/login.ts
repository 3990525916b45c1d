import { requireAcceptedSession } from '../../platform/accepted-session';
import { PlatformCommand } from '../../platform/platform-command';
import { fillUserDirectory } from '../../platform/user-directory';
import { openBrowser } from '../../session/browser';
import {
  promptLines,
  SIGN_IN_FLOWS,
  signIn,
  type SignInFlow,
  type SignInPrompt,
} from '../../session/sign-in';
import { readSession, sessionPath } from '../../session/stored-session';
import { nextStep } from '../../terminal/next-step';
import { Flags } from '../../terminal/oclif';
import { printableLine } from '../../terminal/printable';
import { prose } from '../../terminal/prose';

export class CloudLogin extends PlatformCommand {
  static override summary = 'Sign in to a platform';
  static override description =
    prose(`A person signs in on a web page; there is no other way. With the device flow the page may be opened on any
machine. With the code flow the browser must run on this machine. The sign-in ends with the question who you are at the
platform: exit code 1 if it refuses you, such as a person who is not enrolled there.`);
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
      description: 'Open the page if a browser is available',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(CloudLogin);
    const platform = await this.platform(flags);
    const { alias } = platform;
    const mayOpen = flags.browser && this.terminal.interactive && this.environment.hasDisplay;
    const show = (prompt: SignInPrompt) => {
      promptLines(prompt).forEach((line) => this.terminal.note(line));
      if (mayOpen) openBrowser(prompt.completeAddress ?? prompt.address);
    };
    const before = await readSession(sessionPath(this.environment.configFolder, alias)).catch(
      () => undefined,
    );
    const session = await signIn(this.environment.configFolder, alias, { flow: flags.flow, show });
    const accepted = await this.progress('Asking the platform', requireAcceptedSession(platform, session));
    const filling = fillUserDirectory(this.environment.configFolder, platform);
    const unread = await this.progress('Reading the users', filling);
    if (unread !== undefined) this.terminal.note(unread);
    const { subject, expiresAt } = session;
    const { name, apiUrl, issuer } = alias;
    const known = 'caller' in accepted ? accepted.caller : undefined;
    const caller = known && { username: known.username, tenantId: known.tenantId, roles: known.roles };
    const signedIn = { alias: name, apiUrl, issuer, subject, expiresAt, ...caller };
    const who = caller?.username ?? subject;
    this.show(signedIn, () => printableLine(`Signed in to ${name}${who === undefined ? '' : ` as ${who}`}.`));
    if (before?.subject !== undefined && who !== undefined && before.subject !== subject) {
      this.noteOther(name, before.subject, who);
    }
    if ('unread' in accepted) {
      this.terminal.note(printableLine(`The platform did not say who you are there: ${accepted.unread}`));
    }
  }

  /** The address of a sign-in is an argument of the browser, which other accounts of the machine see, and may open as well. */
  private noteOther(alias: string, before: string, who: string): void {
    this.terminal.note(
      printableLine(
        `warning: before, ${before} was signed in to ${alias}. If you are not ${who}, someone else has completed the sign-in.`,
      ),
    );
    this.terminal.note(`next: ${nextStep('plat cloud logout --alias', [alias])}`);
  }
}
