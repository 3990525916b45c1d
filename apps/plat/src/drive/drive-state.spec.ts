import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellQuote } from '../terminal/shell-quote';
import { type DriveState, DriveStateFile } from './drive-state';

describe('the state of a drive', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-state-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const state = (facts: Partial<DriveState> = {}): DriveState => ({
    apiUrl: 'https://api.example.com',
    review: { reviewId: 'r', name: 'Add limits', sourceBranch: 'feature/1' },
    ...facts,
  });
  const path = async () => join(folder, 'drive', (await readdir(join(folder, 'drive')))[0] ?? '');

  it('is in a file for its owner alone, is read as it was written, and can be cleared', async () => {
    const file = new DriveStateFile(folder, 'main');
    expect(await file.read()).toBeUndefined();
    const written = state({ merging: true, verdict: { successful: false, detail: 'no' } });
    await file.write(written);
    expect(await new DriveStateFile(folder, 'main').read()).toEqual(written);
    expect((await stat(await path())).mode & 0o777).toBe(0o600);
    await file.clear();
    await file.clear();
    expect(await file.read()).toBeUndefined();
  });

  it('is separate for each target branch, also if two differ only in a slash', async () => {
    const [one, two] = ['release/1', 'release-1'].map((branch) => new DriveStateFile(folder, branch));
    await one!.write(state());
    expect(await two!.read()).toBeUndefined();
  });

  it.each([
    '',
    '{"apiUrl":"https://api',
    'null',
    '[]',
    '{"apiUrl":"https://api.example.com"}',
    '{"review":{"reviewId":"r"}}',
  ])('is refused with its path if the file contains %j, and stays', async (text) => {
    const file = new DriveStateFile(folder, 'main');
    await file.write(state());
    await writeFile(await path(), text);
    await expect(file.read()).rejects.toMatchObject({
      code: 'DRIVE_STATE_UNREADABLE',
      details: { path: await path() },
      next: expect.stringContaining(shellQuote(['rm', await path()])) as unknown,
    });
    expect(await readdir(join(folder, 'drive'))).toHaveLength(1);
  });
});
