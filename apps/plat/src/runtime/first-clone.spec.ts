import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import type { SilenceBounds } from '../git/silence';
import { firstClone } from './first-clone';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

describe('the first clone, Rule H16,', () => {
  let folder: string;
  let origin: string;
  let path: string;
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['-C', origin, ...AUTHOR, ...args])).stdout.trim();
  const clone = (more: { remote?: string; ref?: string; bytesMax?: number; silence?: SilenceBounds } = {}) =>
    firstClone({ remote: origin, path, interrupted: new AbortController().signal, ...more });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-clone-'));
    origin = join(folder, 'origin');
    path = join(folder, 'git', 'app');
    process.env.GIT_CONFIG_GLOBAL = join(folder, 'gitconfig');
    await mkdir(origin);
    await git('init', '--quiet', '--initial-branch=main');
    await commit({ 'one.txt': 'one\n' });
  });
  afterEach(async () => {
    delete process.env.GIT_CONFIG_GLOBAL;
    await rm(folder, { recursive: true });
  });

  async function commit(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(origin, name), text);
    await git('add', '--all');
    await git('commit', '--quiet', '--message=Work');
  }

  it('whose ref is there but cannot be checked out has failed, and leaves no half of the files', async () => {
    // The filter stands for a disk that is full after the clone and before the checkout.
    await git('checkout', '--quiet', '-b', 'filtered');
    await commit({ '.gitattributes': '*.bin filter=fails\n', 'a.bin': 'a\n' });
    await git('tag', 'v1.2.0');
    await git('checkout', '--quiet', 'main');
    await writeFile(join(folder, 'gitconfig'), '[filter "fails"]\n  smudge = false\n  required = true\n');
    const { outcome, message } = await clone({ ref: 'v1.2.0' });
    expect({ outcome, message }).toEqual({ outcome: 'failed', message: expect.stringContaining('a.bin') });
    expect(message).not.toContain('has no v1.2.0');
    expect(await readdir(join(folder, 'git'))).toEqual([]);
  });

  it.each(['v1.2.0', 'other', 'refs/tags/v1.2.0'])('checks %s out', async (ref) => {
    await git('tag', 'v1.2.0');
    await git('branch', 'other');
    await commit({ 'one.txt': 'two\n' });
    expect((await clone({ ref })).message).toBe(`Cloned ${origin} into ${path}.`);
    expect(await readFile(join(path, 'one.txt'), 'utf8')).toBe('one\n');
  });

  /** A filter that works for some seconds, or waits for ever, stands for a checkout that does. */
  async function filterFiles(smudge: string): Promise<void> {
    const script = join(folder, 'smudge');
    await writeFile(script, `#!/bin/sh\n${smudge}\ncat\n`, { mode: 0o755 });
    await writeFile(join(folder, 'gitconfig'), `[filter "slow"]\n  smudge = ${script}\n  required = true\n`);
    await commit({ '.gitattributes': '*.bin filter=slow\n', 'a.bin': 'a\n' });
  }
  const silence = { silentMilliseconds: 1500, lookMilliseconds: 100 };

  it('lasts as long as its checkout does something, however long the remote is silent then', async () => {
    await filterFiles('end=$(($(date +%s) + 4)); while [ $(date +%s) -lt $end ]; do :; done');
    expect(await clone({ silence })).toEqual({
      outcome: 'cloned',
      message: `Cloned ${origin} into ${path}.`,
    });
    expect(await readFile(join(path, 'a.bin'), 'utf8')).toBe('a\n');
  });

  it('ends if its checkout does nothing, and leaves nothing', async () => {
    await filterFiles('sleep 600');
    const { outcome, message } = await clone({ silence });
    expect({ outcome, message }).toEqual({
      outcome: 'failed',
      message: expect.stringContaining('The checkout has done nothing for') as unknown,
    });
    expect(await readdir(join(folder, 'git'))).toEqual([]);
  });

  it('of a repository without commits is a checkout without files', async () => {
    await rm(origin, { recursive: true });
    await mkdir(origin);
    await git('init', '--quiet', '--initial-branch=main');
    expect(await clone()).toMatchObject({ outcome: 'cloned' });
    expect(await readdir(path)).toEqual(['.git']);
  });

  it('ends if the remote sends more than the disk should take, and leaves nothing', async () => {
    const { outcome, message } = await clone({ remote: `file://${origin}`, bytesMax: 1 });
    expect({ outcome, message }).toEqual({
      outcome: 'failed',
      message: expect.stringContaining('The remote sends more than 1 MiB') as unknown,
    });
    expect(await readdir(join(folder, 'git'))).toEqual([]);
  });

  it('changes no checkout of another remote, and names both', async () => {
    await clone();
    await writeFile(join(path, 'one.txt'), 'mine\n');
    const { outcome, message } = await clone({ remote: `${origin}-2` });
    expect({ outcome, message }).toEqual({
      outcome: 'kept',
      message: `${path} is not empty and stays as it is. It is a checkout of file://${origin}, and not of ${origin}-2.`,
    });
    expect(await readFile(join(path, 'one.txt'), 'utf8')).toBe('mine\n');
    expect((await clone()).message).toBe(`${path} is not empty and stays as it is.`);
  });

  it('that finds work in the checkout at its end leaves the work, and nothing next to it', async () => {
    // A person works in the pod while the clone lasts.
    const script = join(folder, 'smudge');
    const text = `#!/bin/sh\nmkdir -p ${path} && echo mine > ${path}/mine.txt && cat\n`;
    await writeFile(script, text, { mode: 0o755 });
    await writeFile(join(folder, 'gitconfig'), `[filter "works"]\n  smudge = ${script}\n`);
    await commit({ '.gitattributes': '*.bin filter=works\n', 'a.bin': 'a\n' });
    const { outcome } = await clone();
    expect(outcome).toBe('failed');
    expect(await readdir(join(folder, 'git'), { recursive: true })).toEqual(['app', 'app/mine.txt']);
  });
});
