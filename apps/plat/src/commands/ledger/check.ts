import { checkExportedLedger, checkLedger } from '../../landings/check-ledger';
import type { LedgerCheck } from '../../landings/ledger-row';
import { ledgerNotes, ledgerTable } from '../../landings/ledger-view';
import { PlatformCommand } from '../../platform/platform-command';
import { keyFlag } from '../../sealed-log/log-keys';
import { reportStanding } from '../../standing/report-standing';
import type { StandingCheck } from '../../standing/standing-report';
import { standingNotes, standingView } from '../../standing/standing-text';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class LedgerCheckCommand extends PlatformCommand {
  static override summary = "Compare a target branch's history with the landings of the sealed log";
  static override description =
    prose(`Fetches the target branch, goes over its first-parent history, and compares it with the sealed log, whose entries it
proves. LANDED: the commit has a receipt. PENDING: its receipt is at most two minutes old, names the commit, and is
not sealed yet, nor is that of a newer commit, and this client has not seen it wait for longer; before the first receipt is sealed, the check begins at such a
commit. DIVERGENT: by its receipt, other content landed than was reviewed. NO_RECEIPT: the platform knows a review
or a gate of the commit, but no receipt is sealed. NO_LANDING: the commit of a receipt is not in the history.
BYPASS: nothing accounts for the commit. UNREADABLE: an entry that no platform writes, or a receipt that was erased.
Commits older than the first landing with a receipt are counted only. Exit code 0: every row is LANDED or PENDING.
1: one is not, or nothing could be compared: an error with "code" is no judgement. 3: the log contradicts what this
client has verified before. A landing is sealed within a minute. With --export it contacts neither the platform nor
a remote: the branch is what the clone has fetched of it. It then proves that no landing is withheld, and knows of
commits without a receipt the names of reviews only.

With --still-there it goes on from each landing to the newest commit, also from those without a receipt, of 30 days
or since --since, 1,000 at most. standing: all of it is there. edited: later landings changed or removed lines in the
usual course of work, or landed again what it had taken back. reverted: a later landing says that it reverts it.
undone: a later landing took it back, surely or likely, and does not say so. missing: its commit is not in the history.
unknown: it cannot be determined. Each is named with the lines, the later landing, and the commands that land it again.
Exit code 1 also if one is undone, missing or unknown, or if there are more landings than are examined.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --target-branch main --since 30d --json',
    '<%= config.bin %> <%= command.id %> --export trail --key log.vkey',
    '<%= config.bin %> <%= command.id %> --still-there --since 7d',
  ];
  static override flags = {
    'target-branch': Flags.string({
      description: "Branch to check (default: the remote's own)",
      helpValue: '<branch>',
    }),
    since: Flags.string({
      description: 'Begin at a time, RFC 3339 or how long ago, or after a commit, by any name that git knows',
      helpValue: '<commit|time>',
    }),
    remote: Flags.string({ description: 'Remote of the clone (default: origin)', helpValue: '<name>' }),
    export: Flags.string({
      description: 'Folder of plat audit export, instead of the platform; takes --key',
      helpValue: '<folder>',
      dependsOn: ['key'],
    }),
    key: keyFlag,
    'still-there': Flags.boolean({
      description:
        'Examine also whether the branch still has the work of its landings, by default of 30 days',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(LedgerCheckCommand);
    const platform = flags.export === undefined ? await this.platform(flags) : undefined;
    const checked = await this.host.interruptible(
      async (interrupted): Promise<LedgerCheck | StandingCheck> => {
        const asked = {
          targetBranch: flags['target-branch'],
          since: flags.since,
          remote: flags.remote,
          keys: flags.key ?? [],
          configFolder: this.environment.configFolder,
          interrupted,
          progress: this.progress,
        };
        const compared = await (platform
          ? checkLedger(platform, asked)
          : checkExportedLedger(flags.export!, asked));
        if (!flags['still-there']) return compared.check;
        const api = platform?.api.interruptedBy(interrupted);
        const standing = await reportStanding(compared, { api, progress: this.progress });
        return { ...compared.check, ...standing };
      },
    );
    if (!checked.sound) this.host.fail();
    if ('stands' in checked) this.showStanding(checked);
    else this.show(checked, ledgerTable);
    for (const line of ledgerNotes(checked)) this.terminal.note(line);
  }

  private showStanding(checked: StandingCheck): void {
    if (!checked.stands) this.host.fail();
    this.show(checked, standingView);
    for (const line of standingNotes(checked)) this.terminal.note(line);
  }
}
