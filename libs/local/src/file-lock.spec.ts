import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type FileLock,
  holdFileLock,
  LockUnusable,
  removeLeftOvers,
  takeoverPath,
  withFileLock,
} from './file-lock';
import { lockText } from './lock-holder';
import { processSpace } from './process-space';

/** A process id larger than any system assigns. */
const NOBODY = 2 ** 30;
const gone = (nonce: string, space = processSpace()) => lockText({ pid: NOBODY, began: 'x', space, nonce });

describe('a lock', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-lock-'));
    path = join(folder, 'lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is waited for in a folder whose mode stays, by one who is patient', async () => {
    await chmod(folder, 0o755);
    const first = await holdFileLock(path);
    let second: Promise<FileLock> | undefined;
    const waited = new Promise<number>((waiting) => (second = holdFileLock(path, { waiting })));
    expect(await waited).toBe(process.pid);
    await first.release();
    await (await second!).release();
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
  });

  it('is no longer waited for after an interruption', async () => {
    const lock = await holdFileLock(path);
    const abort = new AbortController();
    const waiting = () => abort.abort(new Error('stopped'));
    await expect(holdFileLock(path, { waiting, interrupted: abort.signal })).rejects.toThrow('stopped');
    await lock.release();
  });

  it('is rid of what killed processes have left next to it, and of nothing else', async () => {
    const [alive, written, old] = ['1.alive', '2.written', '3.old'].map((name) => `${path}.${name}`);
    await writeFile(`${path}.${NOBODY}.left`, gone('left'));
    await writeFile(takeoverPath(path, 'left'), gone('guard'));
    await writeFile(alive!, lockText({ pid: process.pid, began: '', space: processSpace(), nonce: 'x' }));
    await Promise.all([written!, old!].map((file) => writeFile(file, '')));
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(old!, minuteAgo, minuteAgo);
    await writeFile(join(folder, 'lockable'), '');
    await removeLeftOvers(path);
    expect((await readdir(folder)).sort()).toEqual(['lock.1.alive', 'lock.2.written', 'lockable']);
  });

  it.each<[string, (at: string) => Promise<unknown>]>([
    ['soon', (at) => withFileLock(at, () => Promise.resolve())],
    ['at once', (at) => holdFileLock(at)],
    ['patiently', (at) => holdFileLock(at, { waiting: () => undefined })],
  ])('is not waited for in vain, taken %s, where the file system contradicts itself', async (_, takeIt) => {
    // A name that is taken, and that no file can be read by.
    await symlink(join(folder, 'nowhere'), path);
    jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] });
    try {
      let refusal: unknown;
      void takeIt(path).catch((error: unknown) => (refusal = error));
      while (refusal === undefined) {
        jest.advanceTimersByTime(20);
        await turn();
      }
      expect(refusal).toBeInstanceOf(LockUnusable);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is released by its holder alone', async () => {
    const other = gone('other');
    await withFileLock(path, () => writeFile(path, other));
    expect(await readFile(path, 'utf8')).toBe(other);
  });

  describe('of a process in another container', () => {
    const [, boot] = processSpace().split('/');
    const elsewhere = gone('elsewhere', `${hostname()}-2/${boot}/pid:[1]`);

    it('is waited for while it is touched, although its id does not exist here', async () => {
      await writeFile(path, elsewhere);
      let taken: Promise<void> | undefined;
      const waited = new Promise<number>((waiting) => {
        taken = withFileLock(path, () => Promise.resolve(), { waiting });
      });
      expect(await waited).toBe(NOBODY);
      expect(await readFile(path, 'utf8')).toBe(elsewhere);
      await rm(path);
      await taken;
    });

    it('is taken over after it is no longer touched', async () => {
      await writeFile(path, elsewhere);
      const minuteAgo = new Date(Date.now() - 60_000);
      await utimes(path, minuteAgo, minuteAgo);
      expect(await withFileLock(path, () => Promise.resolve('taken'))).toBe('taken');
    });

    it('is touched while it is held', async () => {
      jest.useFakeTimers({ now: Date.now(), doNotFake: ['setTimeout', 'setImmediate', 'nextTick'] });
      try {
        await withFileLock(path, async () => {
          const minuteAgo = new Date(Date.now() - 60_000);
          await utimes(path, minuteAgo, minuteAgo);
          jest.advanceTimersByTime(5000);
          const isTouched = async () => (await stat(path)).mtimeMs > minuteAgo.getTime() + 1000;
          for (let turns = 0; turns < 1000 && !(await isTouched()); turns += 1) await turn();
          expect(await isTouched()).toBe(true);
        });
      } finally {
        jest.useRealTimers();
      }
    });
  });

  it('is taken over at once if the machine was restarted since', async () => {
    const [host] = processSpace().split('/');
    await writeFile(path, gone('before', `${host}/another-boot/pid:[1]`));
    expect(await withFileLock(path, () => Promise.resolve('taken'))).toBe('taken');
  });
});
