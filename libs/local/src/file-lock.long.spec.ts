import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { takeoverPath, withFileLock } from './file-lock';
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

  it('is taken over from a dead process by one process at a time, if many try at once', async () => {
    let inside = 0;
    for (let round = 0; round < 20; round += 1) {
      await writeFile(path, gone(`left ${round}`));
      const contend = async (late: number) => {
        // The processes read the lock at different times, so some act on content that is outdated by then.
        for (let turns = 0; turns < late; turns += 1) await turn();
        await withFileLock(path, async () => {
          inside += 1;
          for (let turns = 0; turns < 5; turns += 1) {
            expect(inside).toBe(1);
            await turn();
          }
          inside -= 1;
        });
      };
      await Promise.all([0, 1, 3, 6, 9].map(contend));
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not removed by a process while another one takes it over', async () => {
    const left = gone('left');
    await writeFile(path, left);
    // The takeover lock is held, as by a process that is about to remove the left lock.
    await withFileLock(takeoverPath(path, left), async () => {
      let taken: Promise<string> | undefined;
      await new Promise((waiting) => {
        taken = withFileLock(path, () => readFile(path, 'utf8'), { waiting });
      });
      expect(await readFile(path, 'utf8')).toBe(left);
      await rm(path);
      expect(await taken).not.toBe(left);
    });
  });

  it('is taken over even if a process was killed while it took it over', async () => {
    const left = gone('left');
    const guard = gone('guard');
    await writeFile(path, left);
    await writeFile(takeoverPath(path, left), guard);
    await writeFile(takeoverPath(takeoverPath(path, left), guard), gone('second guard'));
    expect(await withFileLock(path, () => Promise.resolve('taken'))).toBe('taken');
    expect(await readdir(folder)).toEqual([]);
  });
});
