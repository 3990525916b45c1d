import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { stashTracked } from './stash-tracked';

describe('changes in tracked files that a drive puts away', () => {
  let home: string;
  let checkout: GateCheckout;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-stash-'));
    checkout = await GateCheckout.create({ home } as Machine);
  });
  afterEach(() => rm(home, { recursive: true }));

  const write = (file: string, text: string) => writeFile(join(checkout.folder, file), text);
  const content = (file: string) => readFile(join(checkout.folder, file), 'utf8');
  const stash = (...nobodys: string[]) =>
    stashTracked(gitIn(checkout.folder), { message: 'kept by a drive', nobodys: ['HEAD', ...nobodys] });

  it('are one entry of git stash, which brings back what was staged and what was not', async () => {
    await write('README.md', 'staged\n');
    await checkout.git('add', 'README.md');
    await write('numbers.txt', 'not staged\n');
    const kept = await stash();
    expect(await checkout.git('stash', 'list', '--format=%H %gs')).toBe(`${kept} kept by a drive`);
    await checkout.git('reset', '--quiet', '--hard');
    await checkout.git('stash', 'apply', '--quiet', '--index', kept!);
    expect(await checkout.git('diff', '--name-only', '--cached')).toBe('README.md');
    expect(await checkout.git('diff', '--name-only')).toBe('numbers.txt');
    expect([await content('README.md'), await content('numbers.txt')]).toEqual(['staged\n', 'not staged\n']);
  });

  it('are no entry if nothing was changed', async () => {
    expect(await stash()).toBeUndefined();
    expect(await checkout.git('stash', 'list')).toBe('');
  });

  it('are no entry if they are those of a commit without any person’s work', async () => {
    const made = await checkout.commit({ 'README.md': 'merged\n' }, 'Merge');
    await checkout.git('reset', '--quiet', '--soft', 'HEAD~1');
    expect(await stash(made)).toBeUndefined();
    await write('README.md', 'merged, and mended by hand\n');
    expect(await stash(made)).toMatch(/^[0-9a-f]{40}$/);
  });

  it('keep a file in conflict with the content that it has', async () => {
    await checkout.branch('other', { 'README.md': 'theirs\n' });
    await checkout.commit({ 'README.md': 'ours\n' }, 'Ours');
    await checkout.git('merge', '--quiet', 'other').catch(() => undefined);
    const text = await content('README.md');
    expect(text).toContain('<<<<<<<');
    const kept = await stash();
    expect(`${await checkout.git('show', `${kept}:README.md`)}\n`).toBe(text);
    expect(await content('README.md')).toBe(text);
  });

  it('leave untracked files where they are', async () => {
    await write('README.md', 'changed\n');
    await write('notes.txt', 'mine\n');
    const kept = await stash();
    expect(await checkout.git('ls-tree', '-r', '--name-only', kept!)).not.toContain('notes.txt');
    expect(await content('notes.txt')).toBe('mine\n');
  });
});
