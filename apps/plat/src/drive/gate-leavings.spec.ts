import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../gate/git';
import { checkOutAfterGate, foundBeforeGate } from './gate-leavings';

describe('what a gate left in the way of the target', () => {
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

  /** The target tracks `dist/app.js` and `out`; the merge, which is checked out, does not, and ignores what it says. */
  async function gating(ignored = 'dist/\nout\n') {
    const targetCommit = await checkout.commit({ 'dist/app.js': 'theirs\n', out: 'theirs\n' }, 'Target');
    await checkout.git('rm', '--quiet', '-r', 'dist', 'out');
    const mergeCommit = await checkout.commit({ '.gitignore': ignored }, 'Merge');
    const merge = { targetCommit, mergeCommit };
    const git = gitIn(checkout.folder);
    /** @param found what the look before the gate has found; undefined: no gate has begun */
    const goToTarget = (found: string[] | undefined) => {
      const review = { reviewId: 'r', name: 'Add limits', sourceBranch: 'feature/1' };
      const state = { apiUrl: '', review, merge, ...(found && { foundBeforeGate: found }) };
      return checkOutAfterGate({ git, note: (line) => notes.push(line) }, state, targetCommit);
    };
    return { targetCommit, mergeCommit, goToTarget, look: () => foundBeforeGate(git, merge) };
  }
  const IN_THE_WAY = { code: 'FILES_IN_THE_WAY' };

  it('is moved out of the checkout with a note of where it is, and nothing of it is deleted', async () => {
    const { targetCommit, mergeCommit, goToTarget, look } = await gating();
    const found = await look();
    expect(found).toEqual([]);
    await write('dist/app.js', 'built\n');
    await write('dist/other.js', 'built too\n');
    await goToTarget(found);
    expect(await checkout.git('rev-parse', 'HEAD')).toBe(targetCommit);
    expect(await content('dist/app.js')).toBe('theirs\n');
    // git itself does not find this one in its way.
    expect(await content('dist/other.js')).toBe('built too\n');
    const [, folder = ''] = /moved to (\S+): dist\/app\.js\.$/.exec(notes[0] ?? '') ?? [];
    expect(folder).toContain(join('.git', 'plat', 'set-aside', mergeCommit));
    expect(await readFile(join(folder, 'dist/app.js'), 'utf8')).toBe('built\n');
  });

  it('is moved where a folder was built in place of a file, or a file in place of a folder', async () => {
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
    ['may have: no gate has begun in this checkout', undefined],
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

  it('stays if somebody has left the merge meanwhile', async () => {
    const { goToTarget } = await gating();
    await checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
    await write('dist/app.js', 'mine\n');
    await expect(goToTarget([])).rejects.toMatchObject(IN_THE_WAY);
    expect(await readdir(join(checkout.folder, '.git'))).not.toContain('plat');
  });

  it('does not count a path as free below a file that lies there', async () => {
    const { look } = await gating('dist\n');
    await write('dist', 'mine\n');
    expect(await look()).toEqual(['dist/app.js']);
  });
});
