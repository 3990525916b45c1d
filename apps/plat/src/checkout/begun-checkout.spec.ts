import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { type Git, gitIn } from '../git/git';
import { noteBegun, noteEnded, readBegunCheckout } from './begun-checkout';
import { checkoutFolder } from './checkout-lock';

const COMMIT = 'a'.repeat(40);

describe('the note of a begun checkout', () => {
  let folder: string;
  let git: Git;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-begun-'));
    git = gitIn(folder);
    await git.run(['init', '--quiet']);
    path = join(await checkoutFolder(git), 'begun-checkout.json');
    await noteBegun(git, { commitId: COMMIT, leaving: ['a'] });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is there until the checkout has ended', async () => {
    expect(await readBegunCheckout(git)).toMatchObject({ commitId: COMMIT, leaving: ['a'] });
    await noteEnded(git);
    expect(await readBegunCheckout(git)).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a pipe, which is not waited for', () => promisify(execFile)('mkfifo', [path])],
    ['a link', () => symlink(join(folder, 'elsewhere.json'), path)],
    ['a huge file', () => writeFile(path, '{}').then(() => truncate(path, 2 ** 40))],
    ['no note', () => writeFile(path, '{"commitId":"--help","leaving":[],"beganAt":1}')],
    ['half of a note', () => writeFile(path, '{"commitId":')],
  ])('is refused if %s is in its place', async (_what, make) => {
    await writeFile(
      join(folder, 'elsewhere.json'),
      JSON.stringify({ commitId: COMMIT, leaving: [], beganAt: 1 }),
    );
    await rm(path);
    await make();
    await expect(readBegunCheckout(git)).rejects.toMatchObject({ code: 'BEGUN_CHECKOUT_UNREADABLE' });
  });
});
