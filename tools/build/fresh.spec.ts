import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureFresh } from './fresh.mjs';

describe('a build that is kept', () => {
  let root: string;
  let outdir: string;
  const build = jest.fn(async (folder: string) => {
    const { mkdir } = await import('node:fs/promises');
    await mkdir(folder);
    await writeFile(join(folder, 'main.js'), await readFile(join(root, 'main.ts')));
    return ['main.ts'];
  });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-fresh-'));
    outdir = join(root, 'dist', 'service');
    await write('main.ts', 'one');
    build.mockClear();
  });
  afterEach(() => rm(root, { recursive: true }));

  /** As an editor that wrote a minute ago: a file is as new as the build only if it changed after it. */
  async function write(name: string, text: string, secondsAgo = 60): Promise<void> {
    await writeFile(join(root, name), text);
    const time = Date.now() / 1000 - secondsAgo;
    await utimes(join(root, name), time, time);
  }
  const ensure = () => ensureFresh(outdir, { root, build });
  const built = () => readFile(join(outdir, 'main.js'), 'utf8');

  it('is made once for all that ask at once, and not again', async () => {
    await Promise.all([ensure(), ensure(), ensure()]);
    await ensure();
    expect(build).toHaveBeenCalledTimes(1);
    expect(await built()).toBe('one');
  });

  it('is made again once a source has changed', async () => {
    await ensure();
    await write('main.ts', 'two', -60);
    await ensure();
    expect([build.mock.calls.length, await built()]).toEqual([2, 'two']);
  });

  it('is made again once a source is gone', async () => {
    await ensure();
    await rm(join(root, 'main.ts'));
    await expect(ensure()).rejects.toThrow('main.ts');
    expect(await built()).toBe('one');
  });

  it('leaves what was there if it fails', async () => {
    await ensure();
    await write('main.ts', 'two', -60);
    build.mockRejectedValueOnce(new Error('no'));
    await expect(ensure()).rejects.toThrow('no');
    expect(await built()).toBe('one');
  });
});
