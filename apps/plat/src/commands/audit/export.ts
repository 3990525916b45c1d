import { PlatformCommand } from '../../platform/platform-command';
import { type ExportedLog, exportLog } from '../../sealed-log/export-log';
import { exportProgress } from '../../sealed-log/export-progress';
import { keyFlag } from '../../sealed-log/log-keys';
import { Args, Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

export class AuditExport extends PlatformCommand {
  static override summary = 'Export the sealed log of the trail to a folder that anyone can check';
  static override description =
    prose(`Writes the log as files (C2SP tlog-tiles), with the fields that each entry commits to, and checks meanwhile
that the entries are those that the key has signed and that the log only continues what this machine has seen of it. A
repeated export fetches only what is new, and one that was stopped is continued; one that is at work in the folder is waited
for. A folder that the export makes is private; one that was there keeps its mode, and has to be this user's own, without links in
it. A log that is not sound, or contradicts what this machine has seen, is exported all the same to a new folder, as
evidence. plat audit verify checks the folder without an account. Exit code 3: the log contradicts a checkpoint that this
machine or the folder has.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> trail',
    '<%= config.bin %> <%= command.id %> trail --key log.key --json',
    '<%= config.bin %> <%= command.id %> trail --recheck',
  ];
  static override args = {
    folder: Args.string({
      description: 'A new folder, or one with an earlier export',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    key: keyFlag,
    recheck: Flags.boolean({
      description:
        'Ask for the entries that the folder has, too, and check that the platform still shows them',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AuditExport);
    const { api } = await this.platform(flags);
    const note = (line: string) => this.terminal.note(line);
    const exported = await this.host.interruptible((interrupted) =>
      exportLog(api.interruptedBy(interrupted), {
        configFolder: this.environment.configFolder,
        folder: args.folder,
        keys: flags.key ?? [],
        recheck: flags.recheck ?? false,
        advanced: exportProgress(note),
        note,
        interrupted,
      }),
    );
    this.show(exported, exportedText);
  }
}

const exportedText = ({ folder, origin, size, fetched }: ExportedLog): string =>
  `${folder} has the ${size} entries of ${origin}, ${fetched} of them fetched now.`;
