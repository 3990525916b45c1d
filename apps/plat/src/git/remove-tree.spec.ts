import { chmod, chown, lchown, lstat, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from './remove-tree';

/** Two accounts without a name. */
const [PERSON, GATE] = [64_001, 64_002];

let folder: string;
let tree: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-remove-tree-'));
  await chmod(folder, 0o755);
  tree = join(folder, 'tree');
  await mkdir(tree);
});
afterEach(async () => {
  await removeTree(folder);
  expect(await isThere(folder)).toBe(false);
});

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

it('removes folders that their owner may not change, one in the other', async () => {
  const closed = join(tree, 'one', 'two');
  await mkdir(closed, { recursive: true });
  await writeFile(join(closed, 'file'), '');
  for (const path of [closed, join(tree, 'one'), tree]) await chmod(path, 0o000);
  await removeTree(tree);
  expect(await isThere(tree)).toBe(false);
});

it('removes a link, and nothing of what it leads to', async () => {
  const kept = join(folder, 'kept');
  await mkdir(kept);
  await writeFile(join(kept, 'file'), '');
  await symlink(kept, join(tree, 'link'));
  await removeTree(tree);
  expect([await isThere(tree), await readdir(kept)]).toEqual([false, ['file']]);
});

it('does nothing if there is no such folder', async () => {
  await expect(removeTree(join(folder, 'none'))).resolves.toBeUndefined();
});

it('runs the programs that are on the PATH, as some systems have none in /bin', async () => {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'rm'), '#!/bin/sh\necho "$@" >&2\necho more >&2\nexit 1\n', { mode: 0o755 });
  const { PATH } = process.env;
  process.env.PATH = `${programs}:${PATH}`;
  try {
    await expect(removeTree(tree)).rejects.toThrow(new Error(`-rf -- ${tree}`));
  } finally {
    process.env.PATH = PATH;
  }
});

// Only root may give files to another account.
const isRoot = process.getuid?.() === 0;
(isRoot ? it : it.skip)(
  'removes nothing of what a link leads to that another user has left in a sticky folder, and says what stays',
  async () => {
    const home = join(folder, 'home');
    const sticky = join(tree, 'sticky');
    await mkdir(join(home, 'documents'), { recursive: true });
    await mkdir(sticky);
    await symlink(home, join(sticky, 'link'));
    for (const path of [folder, tree, home, join(home, 'documents')]) await chown(path, PERSON, PERSON);
    await lchown(join(sticky, 'link'), GATE, GATE);
    await chown(sticky, GATE, GATE);
    await chmod(sticky, 0o1777);
    process.seteuid!(PERSON);
    const failure = await removeTree(tree).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    process.seteuid!(0);
    expect([await readdir(home), failure]).toEqual([
      ['documents'],
      expect.stringMatching(/sticky\/link.*not permitted/i),
    ]);
  },
);
