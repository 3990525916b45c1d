import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { type Git, gitIn } from '../git/git';
import { noteGate, readNotedGate } from './noted-gates';

const COMMIT = 'a'.repeat(40);

describe('the note of a gate', () => {
  let folder: string;
  let git: Git;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-noted-'));
    git = gitIn(folder);
    await git.run(['init', '--quiet']);
    await noteGate(git, COMMIT, true);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('says how the last gate of the commit ended', async () => {
    expect(await readNotedGate(git, COMMIT)).toMatchObject({ passed: true });
    expect(await readNotedGate(git, 'b'.repeat(40))).toBeUndefined();
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a pipe, which is not waited for', (path) => promisify(execFile)('mkfifo', [path])],
    ['a huge file', (path) => writeFile(path, '{}').then(() => truncate(path, 2 ** 40))],
    ['half of a note', (path) => writeFile(path, '{"passed":')],
  ])('counts as a failed gate if %s is in its place', async (_what, make) => {
    const path = join(folder, '.git', 'plat', 'gates', `${COMMIT}.json`);
    await rm(path);
    await make(path);
    expect(await readNotedGate(git, COMMIT)).toMatchObject({ passed: false });
  });
});
