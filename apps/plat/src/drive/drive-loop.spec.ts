import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeStep } from './drive-loop';
import { type DriveState, DriveStateFile } from './drive-state';

const TAKEN: DriveState = {
  apiUrl: 'https://api.example.com',
  review: { reviewId: 'r', name: 'Add limits', sourceBranch: 'feature/1' },
};
const MERGING: DriveState = { ...TAKEN, merging: true };

describe('the state of a drive', () => {
  let folder: string;
  let stateFile: DriveStateFile;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-loop-'));
    stateFile = new DriveStateFile(folder, 'main');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is on disk before a step goes on from what it stores, and after the step as it returns it', async () => {
    let during: DriveState | undefined;
    const after = await takeStep(
      { stateFile },
      async (_loop, state, store) => {
        await store(MERGING);
        during = await stateFile.read();
        return { ...state, gateRunId: 'g' };
      },
      TAKEN,
    );
    expect(during).toEqual(MERGING);
    expect(after).toEqual({ ...TAKEN, gateRunId: 'g' });
    expect(await stateFile.read()).toEqual(after);
  });

  it('is the one before the step again if the step stores another and returns it unchanged', async () => {
    await takeStep(
      { stateFile },
      async (_loop, state, store) => {
        await store(MERGING);
        return state;
      },
      TAKEN,
    );
    expect(await stateFile.read()).toEqual(TAKEN);
  });

  it('stays what the step stored last if the step fails', async () => {
    const failing = takeStep(
      { stateFile },
      async (_loop, _state, store) => {
        await store(MERGING);
        throw new Error('killed');
      },
      TAKEN,
    );
    await expect(failing).rejects.toThrow('killed');
    expect(await stateFile.read()).toEqual(MERGING);
  });

  it.each([
    ['returns it unchanged', TAKEN],
    ['finds that it is out of date', undefined],
  ])('is not written by a step that %s', async (_what, result) => {
    await takeStep({ stateFile }, () => Promise.resolve(result), TAKEN);
    expect(await stateFile.read()).toBeUndefined();
  });
});
