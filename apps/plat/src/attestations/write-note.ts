import { SUMMARY_PREDICATE } from '@plat/contracts/core';
import { commitOf } from '../checkout/checkout';
import type { Git } from '../git/git';
import { requireIdentity } from '../git/identity';
import { ORIGIN } from '../origin/origin';
import { requireSameRepository } from '../reviews/same-repository';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import type { Attestation } from './read-attestation';

export interface NoteToWrite {
  /** The ref of the notes; undefined: the default for the kind of attestation. */
  ref?: string | undefined;
  /** Whether another note of the commit is replaced. */
  force: boolean;
}

/** A git note with an attestation, in the caller's checkout. */
export interface AttestationNote {
  ref: string;
  /** Whether the commit had this note before. */
  upToDate: boolean;
  /** The command that publishes it, which is the caller's to run. */
  push: string;
}

const NOTES = 'refs/notes/';

/** @throws Failure INVALID_NOTES_REF */
export async function requireNotesRef(git: Git, ref: string): Promise<void> {
  if (ref.startsWith(NOTES) && (await git.try(['check-ref-format', ref])).code === 0) return;
  throw new Failure('INVALID_NOTES_REF', `${JSON.stringify(ref)} is no ref of notes.`, {
    next: `give --ref a name that begins with ${NOTES}, such as ${NOTES}plat/receipts`,
  });
}

/**
 * Writes an attestation as a git note of its commit in the caller's checkout. Nothing is pushed.
 *
 * @throws Failure OTHER_REPOSITORY, NO_SUCH_COMMIT, NO_IDENTITY, NOTE_EXISTS
 */
export async function writeNote(
  git: Git,
  attestation: Attestation,
  { ref = defaultRef(attestation), force }: NoteToWrite,
): Promise<AttestationNote> {
  const { commitId, repository, envelope } = attestation;
  await requireSameRepository(git, { repository, name: attestation.reviewId });
  await requireCommit(git, attestation);
  const text = `${JSON.stringify(envelope)}\n`;
  const written = { ref, push: nextStep('git push', [ORIGIN], [ref]) };
  const before = await git.try(['notes', '--ref', ref, 'show', commitId]);
  if (before.code === 0 && before.stdout === text) return { ...written, upToDate: true };
  if (before.code === 0 && !force) throw noteExists(ref, commitId);
  await requireIdentity(git);
  // A note from a blob keeps its bytes. git would strip a text.
  const blob = (await git.run(['hash-object', '-w', '--stdin'], text)).trim();
  const replacing = force ? ['--force'] : [];
  await git.run(['notes', '--ref', ref, 'add', ...replacing, '-C', blob, commitId]);
  return { ...written, upToDate: false };
}

/** One ref for each kind, because a commit has one note in a ref. */
const defaultRef = ({ predicateType }: Attestation): string =>
  `${NOTES}plat/${predicateType === SUMMARY_PREDICATE ? 'summaries' : 'receipts'}`;

async function requireCommit(git: Git, { commitId, targetBranch }: Attestation): Promise<void> {
  if ((await commitOf(git, commitId)) === commitId) return;
  throw new Failure('NO_SUCH_COMMIT', `This checkout does not have the landed commit ${commitId}.`, {
    next: nextStep('git fetch', [ORIGIN], [targetBranch], ', then repeat the command'),
  });
}

function noteExists(ref: string, commitId: string): Failure {
  const show: NextStep = nextStep('git notes --ref', [ref], 'show', [commitId]);
  return new Failure('NOTE_EXISTS', `The commit ${commitId} has another note in ${ref} already.`, {
    details: { ref, commitId },
    next: nextStep('look at it:', show, '; to replace it, repeat the command with --force'),
  });
}
