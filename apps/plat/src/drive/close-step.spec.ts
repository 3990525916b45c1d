import { gitIn } from '../git/git';
import { closeStep } from './close-step';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

const COMMIT = 'a'.repeat(40);

describe('the pull request of a review that has landed', () => {
  const notes: string[] = [];
  beforeEach(() => (notes.length = 0));

  function closed(facts: Partial<DriveContext>, merge: DriveState['merge'] = landed) {
    const context = {
      git: gitIn('/'),
      targetBranch: 'main',
      repository: 'https://git.invalid/acme/app',
      interrupted: new AbortController().signal,
      note: (line: string) => notes.push(line),
      progress: (_step: string, work: Promise<unknown>) => work,
      ...facts,
    } as unknown as DriveContext;
    const review = { reviewId: 'r', name: 'Add limits', sourceBranch: 'feature/1' };
    return closeStep(context, { apiUrl: '', review, merge });
  }
  const landed = { targetCommit: COMMIT, sourceCommit: COMMIT, mergeCommit: COMMIT };
  /** No server listens there. */
  const forgeUrl = 'http://127.0.0.1:1';

  it('is not looked for if the repository is in a folder, without a note', async () => {
    expect(await closed({ repository: 'file:///srv/app.git' })).toBeUndefined();
    expect(notes).toEqual([]);
  });

  it('stays open, with a note, if no forge is known', async () => {
    expect(await closed({})).toBeUndefined();
    expect(notes).toEqual([expect.stringMatching(/^No pull request is closed: git\.invalid .* --forge-url/)]);
  });

  it('does not fail the drive if it cannot be closed: the reason is reported', async () => {
    const end = await closed({ forgeUrl });
    expect(end).toEqual({ closed: false, reason: expect.stringMatching(/\S/) as unknown });
    expect(notes).toEqual([expect.stringMatching(/^The pull request of feature\/1 is not closed: /)]);
  });

  it('is left to the next drive if this one is stopped', async () => {
    const interrupted = AbortSignal.abort(new Error('stopped'));
    await expect(closed({ forgeUrl, interrupted })).rejects.toThrow('stopped');
    expect(notes).toEqual([]);
  });

  it('is not looked for if the source’s commit is unknown', async () => {
    expect(await closed({ forgeUrl }, { targetCommit: COMMIT, mergeCommit: COMMIT })).toBeUndefined();
    expect(notes).toEqual([]);
  });
});
