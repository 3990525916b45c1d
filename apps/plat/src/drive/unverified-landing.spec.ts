import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FailureCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { type DriveState, DriveStateFile } from './drive-state';
import { withWaysOut } from './unverified-landing';

const REVIEW_ID = '01a0b2c3-d4e5-7f60-8a1b-2c3d4e5f6071';
const PUSHED: DriveState = {
  apiUrl: 'https://plat.example.com',
  review: { reviewId: REVIEW_ID, name: 'Add limits', sourceBranch: 'feature/1' },
  pushed: true,
};

describe('a report that the platform could not judge', () => {
  let folder: string;
  let stateFile: DriveStateFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-unverified-'));
    stateFile = new DriveStateFile(folder, 'main');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const refused = (reason: string, code: FailureCode = 'MERGE_NOT_VERIFIED') =>
    new Failure(code, 'The merge is not verified.', { details: { reason }, requestId: 'request-1' });
  const ended = (error: unknown) =>
    withWaysOut({ stateFile, targetBranch: 'main', repeatedFlags: ['--gate-command', 'make all'] }, error);

  it.each(['remote_refused', 'remote_unreadable', 'remote_too_large'])(
    'for %s says that the merge is pushed, and both ways out of the slot, as a person types them',
    async (reason) => {
      await stateFile.write(PUSHED);
      expect(await ended(refused(reason))).toMatchObject({
        code: 'MERGE_NOT_VERIFIED',
        message:
          'The merge is not verified. The merge of "Add limits" is pushed; only its verification is missing.',
        details: { reason, reviewId: REVIEW_ID },
        requestId: 'request-1',
        next: `let the platform read the repository (docs/private-repositories.md), then: plat drive --target-branch main --gate-command 'make all'; if it never may: plat review requeue ${REVIEW_ID} && plat review close ${REVIEW_ID}`,
      });
    },
  );

  it('is unchanged if the platform did read the repository, or if the branch is missing', async () => {
    await stateFile.write(PUSHED);
    for (const reason of ['commit_not_on_target', 'branch_missing']) {
      const error = refused(reason);
      expect(await ended(error)).toBe(error);
    }
  });

  it('is unchanged if nothing was pushed, so that the review can be given up', async () => {
    const error = refused('remote_refused');
    expect(await ended(error)).toBe(error);
    await stateFile.write({ ...PUSHED, pushed: undefined });
    expect(await ended(error)).toBe(error);
  });

  it('is distinguished from every other error', async () => {
    await stateFile.write(PUSHED);
    const other = refused('remote_refused', 'GIT_FAILED');
    const defect = new Error('a defect');
    expect(await ended(other)).toBe(other);
    expect(await ended(defect)).toBe(defect);
  });
});
