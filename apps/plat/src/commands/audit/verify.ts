import { requiredKeyFlag } from '../../sealed-log/log-keys';
import { OUTCOME_CODES, verifiedNotes, verifiedText, verifyExport } from '../../sealed-log/verify-export';
import { Args, Flags } from '../../terminal/oclif';
import { PlatCommand } from '../../terminal/plat-command';
import { prose } from '../../terminal/prose';

export class AuditVerify extends PlatCommand {
  static override summary = 'Check an exported log of the trail by its files alone';
  static override description =
    prose(`Needs neither an account nor a network: the folder and a key that you trust are enough. What this client has seen of
the log before, if it has, is known too.
Exit code 0: SOUND, every entry is the one that the key has signed. 1: ALTERED, an entry was edited, removed, put in or
moved, a file lacks or does not belong, or no given key has signed the checkpoint; the first entry that is concerned is
named. 3: CONTRADICTS, the log is sound in itself, and is not the one, or a continuation of the one, of which you know a
checkpoint. --key says who may sign the exported checkpoint: after a change of keys give the new one alone. A known
checkpoint may be signed by it or by any key that the log records, such as the former one. Code 1 also ends a command that
could not judge, such as for a wrong path: with --json an answer with "outcome" is a judgement, and an error with "code" is none.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> trail --key log.key',
    '<%= config.bin %> <%= command.id %> trail --key log.key --known trail-of-june/checkpoint --json',
  ];
  static override args = {
    folder: Args.string({ description: 'The exported log', required: true, ignoreStdin: true }),
  };
  static override flags = {
    key: requiredKeyFlag,
    known: Flags.string({
      description: 'File with a checkpoint of this log that you know, repeatable',
      helpValue: '<file>',
      multiple: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(AuditVerify);
    const verified = await this.progress(
      `Checking ${args.folder}`,
      verifyExport({
        folder: args.folder,
        keys: flags.key,
        known: flags.known ?? [],
        configFolder: this.environment.configFolder,
      }),
    );
    if (verified.outcome !== 'SOUND') this.host.fail(OUTCOME_CODES[verified.outcome]);
    this.show(verified, verifiedText);
    for (const line of verifiedNotes(verified)) this.terminal.note(line);
  }
}
