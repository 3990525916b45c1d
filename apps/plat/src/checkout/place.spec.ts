import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { checkOut } from './place';

describe('the checkout of a commit', () => {
  let home: string;
  beforeEach(async () => (home = await mkdtemp(join(tmpdir(), 'plat-place-'))));
  afterEach(() => rm(home, { recursive: true }));

  it('that has files of git’s own folder is a failure of git: they are not to be moved away', async () => {
    const checkout = await GateCheckout.create({ home } as Machine);
    const git = gitIn(checkout.folder);
    const blob = (await git.run(['hash-object', '-w', '--stdin'], 'theirs\n')).trim();
    const inner = (await git.run(['mktree'], `100644 blob ${blob}\tconfig\n`)).trim();
    const tree = (await git.run(['mktree'], `040000 tree ${inner}\t.git\n`)).trim();
    const commit = await checkout.git('commit-tree', '-p', 'main', '-m', 'Odd', tree);
    const config = await readFile(join(checkout.folder, '.git/config'), 'utf8');
    await expect(checkOut(git, commit)).rejects.toMatchObject({ code: 'GIT_FAILED' });
    expect(await readFile(join(checkout.folder, '.git/config'), 'utf8')).toBe(config);
  });
});
