import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { gateRef } from '../push/gate-refs';
import { takeStep } from './drive-loop';
import { DriveStateFile } from './drive-state';
import { resetKilledMerge } from './killed-merge';

const SOURCE = 'feature/1';

describe('a drive that was killed in its merge', () => {
  let home: string;
  let checkout: GateCheckout;
  let stateFile: DriveStateFile;
  const notes: string[] = [];
  beforeEach(async () => {
    notes.length = 0;
    home = await mkdtemp(join(tmpdir(), 'plat-killed-'));
    checkout = await GateCheckout.create({ home } as Machine);
    stateFile = new DriveStateFile(join(checkout.folder, '.git', 'plat'), 'main');
    const review = { reviewId: 'r', name: 'Add limits', sourceBranch: SOURCE };
    await stateFile.write({ apiUrl: 'https://api.example.com', review, merging: true });
  });
  afterEach(() => rm(home, { recursive: true }));

  const read = (file: string) => readFile(join(checkout.folder, file), 'utf8');
  const write = (file: string, text: string) => writeFile(join(checkout.folder, file), text);
  const reset = async () => {
    const loop = { git: gitIn(checkout.folder), stateFile, note: (line: string) => notes.push(line) };
    await takeStep(loop, resetKilledMerge, (await stateFile.read())!);
  };
  /** The merge of a drive that is killed before its commit. */
  async function killMerge(
    source: Record<string, string>,
    target: Record<string, string> = {},
  ): Promise<void> {
    await checkout.branch(SOURCE, source);
    if (Object.keys(target).length > 0) await checkout.commit(target, 'Theirs');
    await checkout.git('update-ref', gateRef(SOURCE), SOURCE);
    await checkout.git('checkout', '--quiet', '--detach');
    await checkout.git('merge', '--squash', '--quiet', SOURCE).catch(() => undefined);
  }
  const CONFLICT = [
    { 'numbers.txt': lines(1, 40, { 7: 'source' }), 'other.txt': 'other\n' },
    { 'numbers.txt': lines(1, 40, { 7: 'target' }) },
  ] as const;

  it('keeps the resolution of a conflict in git stash, although the files are unmerged', async () => {
    await killMerge(...CONFLICT);
    await write('numbers.txt', lines(1, 40, { 7: 'resolved by hand' }));
    await reset();
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await read('numbers.txt')).toContain('target');
    const [, command = ''] = /kept: git (stash apply [0-9a-f]{40})\.$/.exec(notes[0] ?? '') ?? [];
    expect(await checkout.git('stash', 'list', '--format=%H %s')).toBe(
      `${command.split(' ').at(-1)} Left by a merge that was killed, of ${SOURCE}`,
    );
    await checkout.git(...command.split(' '));
    expect(await read('numbers.txt')).toContain('resolved by hand');
    expect(await read('other.txt')).toBe('other\n');
  });

  it('keeps the staged and the unstaged content of a file that the merge does not change', async () => {
    await killMerge(...CONFLICT);
    await write('README.md', 'staged\n');
    await checkout.git('add', 'README.md');
    await write('README.md', 'in the file\n');
    await reset();
    const kept = await checkout.git('rev-parse', 'refs/stash');
    expect(await checkout.git('show', `${kept}:README.md`)).toBe('in the file');
    expect(await checkout.git('show', `${kept}^2:README.md`)).toBe('staged');
  });

  it('keeps the edit of a merge without a conflict, and leaves a new file where it is', async () => {
    await killMerge({ 'numbers.txt': lines(1, 40, { 7: 'source' }) });
    await write('README.md', 'mine\n');
    await write('mine.txt', 'mine\n');
    await reset();
    expect(await checkout.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(await checkout.git('show', 'refs/stash:README.md')).toBe('mine');
  });

  it('keeps nothing of an untouched merge', async () => {
    await killMerge({ 'numbers.txt': lines(1, 40, { 7: 'source' }) });
    await reset();
    expect(notes).toEqual(['An earlier drive was killed in its merge: the checkout is reset.']);
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await checkout.git('stash', 'list')).toBe('');
    expect(await stateFile.read()).not.toHaveProperty('merging');
  });

  describe('with the git that was checking a commit out', () => {
    /** git writes `a.txt` and `numbers.txt`, and is killed at `z.txt`. @returns the commit */
    async function cutShort(): Promise<string> {
      const files = {
        'a.txt': 'added\n',
        'deep/b.txt': 'added\n',
        'numbers.txt': 'changed\n',
        'z.txt': 'last\n',
      };
      const target = await checkout.branch('next', files);
      await checkout.git('update-ref', gateRef('main'), target);
      await checkout.git('checkout', '--quiet', '--detach');
      await write('.git/end', '#!/bin/sh\nkill -TERM $PPID\ncat > /dev/null\n');
      await chmod(join(checkout.folder, '.git/end'), 0o755);
      await checkout.git('config', 'filter.end.smudge', '.git/end');
      await write('.git/info/attributes', 'z.txt filter=end\n');
      await expect(checkout.git('checkout', '--quiet', '--detach', target)).rejects.toThrow();
      await rm(join(checkout.folder, '.git/info/attributes'));
      expect(await checkout.git('status', '--porcelain')).toContain('?? a.txt');
      return target;
    }

    it('removes a file that equals the commit, and does not stash it', async () => {
      await cutShort();
      await reset();
      expect(await checkout.git('status', '--porcelain')).toBe('');
      expect(notes).toEqual(['An earlier drive was killed in its merge: the checkout is reset.']);
      expect(await read('numbers.txt')).toBe(lines(1, 40));
    });

    it('leaves a file that was changed since, and a file that the commit lacks', async () => {
      await cutShort();
      await write('a.txt', 'added\nmine\n');
      await write('mine.txt', 'added\n');
      await reset();
      expect(await checkout.git('status', '--porcelain')).toBe('?? a.txt\n?? mine.txt');
      expect(await read('a.txt')).toBe('added\nmine\n');
    });

    it('sets a submodule to its recorded commit, unless it holds a commit that is on no branch', async () => {
      await appendFile(join(home, '.gitconfig'), '[protocol "file"]\nallow=always\n');
      await checkout.git('submodule', '--quiet', 'add', checkout.origin, 'library');
      await checkout.commit({}, 'Library');
      const inLibrary = (...args: string[]) => checkout.git('-C', 'library', ...args);
      const recorded = await inLibrary('rev-parse', 'HEAD');
      await inLibrary('commit', '--quiet', '--allow-empty', '-m', 'Next');
      const next = await inLibrary('rev-parse', 'HEAD');
      await inLibrary('branch', 'next');
      await inLibrary('checkout', '--quiet', '--detach', 'next');
      await reset();
      expect(await inLibrary('rev-parse', 'HEAD')).toBe(recorded);
      await inLibrary('checkout', '--quiet', '--detach', next);
      await inLibrary('commit', '--quiet', '--allow-empty', '-m', 'Mine');
      const mine = await inLibrary('rev-parse', 'HEAD');
      await stateFile.write({ ...(await stateFile.read())!, merging: true });
      await reset();
      expect(await inLibrary('rev-parse', 'HEAD')).toBe(mine);
    });
  });

  it('resets nothing if the changes cannot be kept, and prints the next step', async () => {
    await killMerge(...CONFLICT);
    await write('numbers.txt', 'mine\n');
    await write('.git/index.lock', '');
    await expect(reset()).rejects.toMatchObject({
      code: 'KILLED_MERGE',
      next: expect.stringContaining('git reset --hard') as unknown,
    });
    expect(await read('numbers.txt')).toBe('mine\n');
    expect(await stateFile.read()).toMatchObject({ merging: true });
  });
});
