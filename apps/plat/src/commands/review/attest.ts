import { readAttestation } from '../../attestations/read-attestation';
import { type AttestationNote, requireNotesRef, writeNote } from '../../attestations/write-note';
import { openCheckout } from '../../checkout/checkout';
import { PlatformCommand } from '../../platform/platform-command';
import { meantReview, reviewIdArgument } from '../../reviews/review-id';
import { Flags } from '../../terminal/oclif';
import { prose } from '../../terminal/prose';

/** Flags of a note are a person's: they write to the checkout, so no tool has them. */
const TERMINAL = { helpGroup: 'TERMINAL' };

export class ReviewAttest extends PlatformCommand {
  static override summary = 'Print the receipt of a merge as a signed in-toto statement';
  static override description =
    prose(`Prints one DSSE envelope as a line of JSON. The key of merge receipts has signed it, and other programs verify it
offline (docs/proof.md). It is about the landed commit, and its predicate is the receipt, field by field; with --vsa it is SLSA's
verification summary for the source track, which exists only if the reviewed content landed: EXACT or SAME_CHANGE.

The command first checks the receipt's signature, that the receipt is of the review, and that the envelope is signed and says
what the receipt says. It does not ask git: plat review verify does. --note keeps the envelope as a git note of the landed
commit in this checkout. It pushes nothing, and the platform never writes to the repository.`);
  static override examples = [
    '<%= config.bin %> <%= command.id %> <review_id> > landing.json',
    '<%= config.bin %> <%= command.id %> feature/42-rate-limits --vsa --keys keys.json',
    '<%= config.bin %> <%= command.id %> <review_id> --note',
  ];
  static override args = { review_id: reviewIdArgument };
  static override flags = {
    vsa: Flags.boolean({ description: "Print SLSA's verification summary in place of the receipt" }),
    keys: Flags.string({
      description: 'Trusted keys, as a JSON Web Key Set (default: those of the platform)',
      helpValue: '<file>',
    }),
    note: Flags.boolean({
      description: 'Also keep it as a git note of the landed commit in this checkout',
      ...TERMINAL,
    }),
    ref: Flags.string({
      description:
        'Ref of the note (default: refs/notes/plat/receipts, with --vsa refs/notes/plat/summaries)',
      helpValue: '<ref>',
      dependsOn: ['note'],
      ...TERMINAL,
    }),
    force: Flags.boolean({
      description: 'Replace another note of the commit in that ref',
      dependsOn: ['note'],
      ...TERMINAL,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ReviewAttest);
    const { api } = await this.platform(flags);
    const { ref, force = false, keys: keysFile, vsa: isSummary = false } = flags;
    const attested = await this.host.interruptible(async (interrupted) => {
      // A wrong ref, or no checkout, ends the command before any call.
      const git = flags.note ? await openCheckout(process.cwd(), interrupted) : undefined;
      if (git !== undefined && ref !== undefined) await requireNotesRef(git, ref);
      const calls = api.interruptedBy(interrupted);
      const asked = { ...(await meantReview(calls, args.review_id)), isSummary, keysFile };
      const attestation = await this.progress('Reading the attestation', readAttestation(calls, asked));
      if (git === undefined) return attestation;
      return { ...attestation, note: await writeNote(git, attestation, { ref, force }) };
    });
    this.show(attested, ({ envelope }) => JSON.stringify(envelope));
    if ('note' in attested) this.terminal.note(noteText(attested.note, attested.commitId));
  }
}

function noteText({ ref, upToDate, push }: AttestationNote, commitId: string): string {
  const done = upToDate ? 'had this note already' : 'has the note now';
  return `${commitId} ${done} in ${ref}. To publish it: ${push}`;
}
