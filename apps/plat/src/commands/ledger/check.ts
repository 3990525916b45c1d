import { checkLedger } from '../../landings/check-ledger';
import { ledgerNotes, ledgerTable } from '../../landings/ledger-view';
import { PlatformCommand } from '../../session/platform-command';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class LedgerCheckCommand extends PlatformCommand {
  static override summary = "Compare a target branch's history with the landings of the sealed log";
  static override description =
    prose(`Fetches the target branch, goes over its first-parent history, and compares it with the sealed log, whose
entries it proves. LANDED: the commit has a receipt. DIVERGENT: by its receipt, other content landed than was reviewed.
NO_RECEIPT: the platform knows a review or a gate of the commit, but no receipt is sealed. NO_LANDING: the commit of a
receipt is not in the history. BYPASS: nothing accounts for the commit. UNREADABLE: an entry that no platform writes.
Commits from before the first landing with a receipt are counted only. Exit code 0: every row is LANDED. 1: one is not.
3: the log contradicts what this client has verified before. A landing is sealed within a minute.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --target-branch main --since 30d --json',
  ];
  static override flags = {
    'target-branch': Flags.string({
      description: "Branch to check (default: the remote's own)",
      helpValue: '<branch>',
    }),
    since: Flags.string({
      description: 'Begin after a commit, or at a time: RFC 3339, or how long ago',
      helpValue: '<commit|time>',
    }),
    remote: Flags.string({ description: 'Remote of the clone (default: origin)', helpValue: '<name>' }),
    key: Flags.string({
      description: 'Trusted key of the log, a text or a file (repeatable; default: those of the platform)',
      helpValue: '<key>',
      multiple: true,
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(LedgerCheckCommand);
    const platform = await this.platform(flags);
    const checked = await this.host.interruptible((interrupted) =>
      checkLedger(platform, {
        targetBranch: flags['target-branch'],
        since: flags.since,
        remote: flags.remote,
        keys: flags.key ?? [],
        configFolder: this.environment.configFolder,
        interrupted,
        progress: this.progress,
      }),
    );
    if (!checked.sound) this.host.fail();
    this.show(checked, ledgerTable);
    for (const line of ledgerNotes(checked)) this.terminal.note(line);
  }
}
