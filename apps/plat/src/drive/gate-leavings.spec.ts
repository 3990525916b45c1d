import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../gate/git';
import { checkOutAfterGate, foundBeforeGate } from './gate-leavings';

describe('a file that a gate left in the way of the target', () => {
  let home: string;
  let checkout: GateCheckout;
  const notes: string[] = [];
  beforeEach(async () => {
    notes.length = 0;
    home = await mkdtemp(join(tmpdir(), 'plat-leavings-'));
    checkout = await GateCheckout.create({ home } as Machine);
  });
  afterEach(() => rm(home, { recursive: true }));

  const content = (file: string) => readFile(join(checkout.folder, file), 'utf8');
  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(checkout.folder, file)), { recursive: true });
    await writeFile(join(checkout.folder, file), text);
  }

  /**
   * The target tracks `dist/app.js` and `out`. The merge, which is checked out, does not.
   *
   * @param ignored the `.gitignore` of the merge
   */
  async function gating(ignored = 'dist/\nout\n') {
    const targetCommit = await checkout.commit({ 'dist/app.js': 'theirs\n', out: 'theirs\n' }, 'Target');
    await checkout.git('rm', '--quiet', '-r', 'dist', 'out');
    const mergeCommit = await checkout.commit({ '.gitignore': ignored }, 'Merge');
    const merge = { targetCommit, mergeCommit };
    const git = gitIn(checkout.folder);
    /** @param found the result of `foundBeforeGate`; undefined if no gate has begun */
    const goToTarget = (found: string[] | undefined) => {
      const review = { reviewId: 'r', name: 'Add limits', sourceBranch: 'feature/1' };
      const state = { apiUrl: '', review, merge, foundBeforeGate: found };
      return checkOutAfterGate({ git, note: (line) => notes.push(line) }, state, targetCommit);
    };
    return { targetCommit, mergeCommit, goToTarget, look: () => foundBeforeGate(git, merge) };
  }
  const IN_THE_WAY = { code: 'FILES_IN_THE_WAY' };

  it('is moved out of the checkout, with a note that names its new folder', async () => {
    const { targetCommit, mergeCommit, goToTarget, look } = await gating();
    const found = await look();
    expect(found).toEqual([]);
    await write('dist/app.js', 'built\n');
    await write('dist/other.js', 'built too\n');
    await goToTarget(found);
    expect(await checkout.git('rev-parse', 'HEAD')).toBe(targetCommit);
    expect(await content('dist/app.js')).toBe('theirs\n');
    // The target has no file of this name, so it stays.
    expect(await content('dist/other.js')).toBe('built too\n');
    const [, folder = ''] = /moved to (\S+): dist\/app\.js\.$/.exec(notes[0] ?? '') ?? [];
    expect(folder).toContain(join('.git', 'plat', 'set-aside', mergeCommit));
    expect(await readFile(join(folder, 'dist/app.js'), 'utf8')).toBe('built\n');
  });

  it('is moved if it is a folder in place of a file, or a file in place of a folder', async () => {
    const { goToTarget, look } = await gating('dist\nout\n');
    const found = await look();
    await write('dist', 'built\n');
    await write('out/a/b', 'built\n');
    await goToTarget(found);
    expect([await content('dist/app.js'), await content('out')]).toEqual(['theirs\n', 'theirs\n']);
    expect(notes).toHaveLength(1);
  });

  it.each<[string, string[] | undefined]>([
    ['lay there before the gate began', ['dist/app.js']],
    ['may have lain there before, because no gate has begun in this checkout', undefined],
  ])('stays if it %s', async (_when, found) => {
    const { mergeCommit, goToTarget, look } = await gating();
    await write('dist/app.js', 'mine\n');
    expect(await look()).toEqual(['dist/app.js']);
    await expect(goToTarget(found)).rejects.toMatchObject({
      ...IN_THE_WAY,
      details: { files: ['dist/app.js'] },
    });
    expect(await content('dist/app.js')).toBe('mine\n');
    expect(await checkout.git('rev-parse', 'HEAD')).toBe(mergeCommit);
  });

  it('stays if the merge does not ignore it', async () => {
    const { goToTarget } = await gating('nothing\n');
    await write('dist/app.js', 'mine\n');
    await expect(goToTarget([])).rejects.toMatchObject(IN_THE_WAY);
    expect(await content('dist/app.js')).toBe('mine\n');
  });

  it('stays if the merge is no longer checked out', async () => {
    const { goToTarget } = await gating();
    await checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
    await write('dist/app.js', 'mine\n');
    await expect(goToTarget([])).rejects.toMatchObject(IN_THE_WAY);
    expect(await readdir(join(checkout.folder, '.git/plat'))).toEqual([]);
  });

  it('counts as found before the gate if a file was in place of its folder', async () => {
    const { look } = await gating('dist\n');
    await write('dist', 'mine\n');
    expect(await look()).toEqual(['dist/app.js']);
  });
});
