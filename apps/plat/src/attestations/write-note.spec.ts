import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalRepository } from '@plat/remote';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import type { Attestation } from './read-attestation';
import { requireNotesRef, writeNote } from './write-note';

let home: string;
let checkout: GateCheckout;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plat-note-spec-'));
  checkout = await GateCheckout.create({ home } as Machine);
});
afterEach(() => rm(home, { recursive: true }));

const git = () => gitIn(checkout.folder);

async function attestation(fields: Partial<Attestation> = {}): Promise<Attestation> {
  return {
    reviewId: '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11',
    repository: canonicalRepository(checkout.origin)!,
    targetBranch: 'main',
    commitId: await checkout.git('rev-parse', 'HEAD'),
    predicateType: 'urn:plat:merge-receipt:1',
    contentVerdict: 'EXACT',
    keyId: 'k',
    envelope: {
      payloadType: 'application/vnd.in-toto+json',
      payload: 'e30=',
      signatures: [{ sig: 's' }],
    },
    ...fields,
  };
}

const other = (envelope: Attestation['envelope']) => ({ ...envelope, payload: 'e30K' });

describe('a note of an attestation', () => {
  it('has the envelope as one line, is not pushed, and is the same note when it is written again', async () => {
    const given = await attestation();
    const note = await writeNote(git(), given, { force: false });
    expect(note).toEqual({
      ref: 'refs/notes/plat/receipts',
      push: 'git push origin refs/notes/plat/receipts',
      upToDate: false,
    });
    expect(await checkout.git('notes', '--ref', note.ref, 'show', given.commitId)).toBe(
      JSON.stringify(given.envelope),
    );
    expect(await checkout.git('ls-remote', 'origin', 'refs/notes/*')).toBe('');
    const written = await checkout.git('rev-parse', note.ref);
    expect(await writeNote(git(), given, { force: false })).toEqual({ ...note, upToDate: true });
    expect(await checkout.git('rev-parse', note.ref)).toBe(written);
  });

  it('of a summary is in a ref of its own, unless another is given', async () => {
    const summary = await attestation({ predicateType: 'https://slsa.dev/verification_summary/v1' });
    expect(await writeNote(git(), summary, { force: false })).toMatchObject({
      ref: 'refs/notes/plat/summaries',
    });
    const ref = 'refs/notes/ours';
    expect(await writeNote(git(), summary, { ref, force: false })).toMatchObject({ ref, upToDate: false });
  });

  it('replaces another one only if it is forced', async () => {
    const given = await attestation();
    const changed = { ...given, envelope: other(given.envelope) };
    const { ref } = await writeNote(git(), given, { force: false });
    await expect(writeNote(git(), changed, { force: false })).rejects.toMatchObject({
      code: 'NOTE_EXISTS',
      next: `look at it: git notes --ref ${ref} show ${given.commitId}; to replace it, repeat the command with --force`,
    });
    await writeNote(git(), changed, { force: true });
    expect(await checkout.git('notes', '--ref', ref, 'show', given.commitId)).toBe(
      JSON.stringify(changed.envelope),
    );
  });

  it('is refused for a commit that the checkout does not have, and for one of another repository', async () => {
    await expect(
      writeNote(git(), await attestation({ commitId: 'b'.repeat(40) }), { force: false }),
    ).rejects.toMatchObject({
      code: 'NO_SUCH_COMMIT',
      next: 'git fetch origin main, then repeat the command',
    });
    await expect(
      writeNote(git(), await attestation({ repository: 'https://git.example.com/acme/other' }), {
        force: false,
      }),
    ).rejects.toMatchObject({ code: 'OTHER_REPOSITORY' });
  });

  it('needs an identity, and says so', async () => {
    for (const key of ['user.name', 'user.email']) {
      await git().try(['config', '--local', '--unset-all', key]);
    }
    await checkout.git('config', 'user.useConfigOnly', 'true');
    const nameless = gitIn(checkout.folder, undefined, {
      ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', EMAIL: undefined },
      ...{ GIT_AUTHOR_NAME: undefined, GIT_AUTHOR_EMAIL: undefined },
      ...{ GIT_COMMITTER_NAME: undefined, GIT_COMMITTER_EMAIL: undefined },
    });
    const given = await attestation();
    await expect(writeNote(nameless, given, { force: false })).rejects.toMatchObject({ code: 'NO_IDENTITY' });
    expect(await checkout.git('for-each-ref', 'refs/notes')).toBe('');
  });

  it.each(['refs/heads/main', 'notes', 'refs/notes/', 'refs/notes/a..b', '--force'])(
    'has no ref such as %s',
    async (ref) => {
      await expect(requireNotesRef(git(), ref)).rejects.toMatchObject({ code: 'INVALID_NOTES_REF' });
    },
  );
});
