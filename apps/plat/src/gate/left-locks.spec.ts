import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gitIn } from './git';
import { removeLeftLocks } from './left-locks';

const AN_HOUR_SECONDS = 3600;

describe('the locks that a stopped git leaves', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-locks-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  async function repository(): Promise<string> {
    const folder = join(home, 'checkout');
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    await promisify(execFile)('git', ['init', '--quiet', folder]);
    await gitIn(folder).run([...identity, 'commit', '--quiet', '--allow-empty', '-m', 'Begin']);
    return folder;
  }

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

  it('are removed, of the index, of HEAD and of each ref', async () => {
    const folder = await repository();
    const since = Date.now();
    const left = ['index.lock', 'ORIG_HEAD.lock', 'refs/heads/release/1.lock'];
    const paths = await Promise.all(left.map((name) => lock(join(folder, '.git', name))));
    await removeLeftLocks(gitIn(folder), since);
    expect(await Promise.all(paths.map(isThere))).toEqual([false, false, false]);
  });

  it('are removed of a worktree and of the repository that it belongs to', async () => {
    const folder = await repository();
    const tree = join(home, 'tree');
    await gitIn(folder).run(['worktree', 'add', '--quiet', tree, '-b', 'other']);
    const since = Date.now();
    const own = await lock(join(folder, '.git', 'worktrees', 'tree', 'index.lock'));
    const common = await lock(join(folder, '.git', 'refs', 'heads', 'other.lock'));
    await removeLeftLocks(gitIn(tree), since);
    expect([await isThere(own), await isThere(common)]).toEqual([false, false]);
  });

  it('stay when they are older than the git that was stopped', async () => {
    const folder = await repository();
    const path = await lock(join(folder, '.git', 'index.lock'));
    const longAgo = Date.now() / 1000 - AN_HOUR_SECONDS;
    await utimes(path, longAgo, longAgo);
    await removeLeftLocks(gitIn(folder), Date.now());
    expect(await isThere(path)).toBe(true);
  });

  it('stay when another git has written into them, or made them anew', async () => {
    const folder = await repository();
    const since = Date.now();
    const written = await lock(join(folder, '.git', 'index.lock'), 'DIRC');
    const head = await lock(join(folder, '.git', 'HEAD.lock'));
    const removal = removeLeftLocks(gitIn(folder), since);
    await gitIn(folder).run(['rev-parse', '--git-dir']);
    await writeFile(head, 'ref: refs/heads/other\n');
    await removal;
    expect([await isThere(written), await isThere(head)]).toEqual([true, true]);
  });

  it('are looked for nowhere when the folder is in no repository', async () => {
    await expect(removeLeftLocks(gitIn(home), 0)).resolves.toBeUndefined();
  });
});
