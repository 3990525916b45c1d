import { access, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeLeftLocks } from './left-locks';

const AN_HOUR_SECONDS = 3600;

describe('the locks that a stopped git leaves', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-locks-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  /** The folders of a single worktree, which are the same. */
  const alone = () => ({ own: join(home, '.git'), common: join(home, '.git') });

  async function lock(path: string, content = ''): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  it('of the index, HEAD and each ref are removed', async () => {
    const since = Date.now();
    const left = ['index.lock', 'ORIG_HEAD.lock', 'refs/heads/release/1.lock'];
    const paths = await Promise.all(left.map((name) => lock(join(home, '.git', name))));
    await removeLeftLocks(alone(), since);
    expect(await Promise.all(paths.map(isThere))).toEqual([false, false, false]);
  });

  it('of a worktree and of its repository are removed', async () => {
    const { common } = alone();
    const own = join(common, 'worktrees', 'tree');
    const since = Date.now();
    const paths = [join(own, 'index.lock'), join(common, 'packed-refs.lock'), join(common, 'refs/a/b.lock')];
    for (const path of paths) await lock(path);
    await removeLeftLocks({ own, common }, since);
    expect(await Promise.all(paths.map(isThere))).toEqual([false, false, false]);
  });

  it('stay if they are older than the stopped git', async () => {
    const path = await lock(join(home, '.git', 'index.lock'));
    const longAgo = Date.now() / 1000 - AN_HOUR_SECONDS;
    await utimes(path, longAgo, longAgo);
    await removeLeftLocks(alone(), Date.now());
    expect(await isThere(path)).toBe(true);
  });

  it('stay if another git has written into them', async () => {
    const since = Date.now();
    const written = await lock(join(home, '.git', 'index.lock'), 'DIRC');
    const head = await lock(join(home, '.git', 'HEAD.lock'));
    const removal = removeLeftLocks(alone(), since);
    await writeFile(head, 'ref: refs/heads/other\n');
    await removal;
    expect([await isThere(written), await isThere(head)]).toEqual([true, true]);
  });

  it('are none if there is no repository', async () => {
    await expect(removeLeftLocks(alone(), 0)).resolves.toBeUndefined();
  });
});
