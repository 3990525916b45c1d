import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchPacks } from './pack-watch';

describe('the watch over what a remote sends', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-packs-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const watched = (bounds: { bytesMax?: number; silentMilliseconds?: number }) =>
    watchPacks(folder, { bytesMax: 1000, silentMilliseconds: 60_000, lookMilliseconds: 1, ...bounds });
  /** Work that only the watch ends. */
  const untilEnded = async ({ signal }: { signal: AbortSignal }) => {
    if (!signal.aborted) await once(signal, 'abort');
  };

  it('ends a fetch that receives more than the bound, while it runs', async () => {
    const watch = watched({});
    const fetching = watch.watch(async () => {
      await writeFile(join(folder, 'tmp_pack_a'), Buffer.alloc(600));
      await writeFile(join(folder, 'tmp_pack_b'), Buffer.alloc(600));
      await untilEnded(watch);
    });
    await expect(fetching).rejects.toMatchObject({ code: 'REMOTE_TOO_LARGE' });
  });

  it('refuses what was received, also if the fetch was quicker than the watch', async () => {
    const fetching = watched({}).watch(() => writeFile(join(folder, 'pack'), Buffer.alloc(1001)));
    await expect(fetching).rejects.toMatchObject({ code: 'REMOTE_TOO_LARGE' });
  });

  it('ends a fetch that receives nothing', async () => {
    const watch = watched({ silentMilliseconds: 20 });
    await expect(watch.watch(() => untilEnded(watch))).rejects.toMatchObject({ code: 'REMOTE_SILENT' });
  });

  it('watches the size alone between the fetches', async () => {
    const watch = watched({ silentMilliseconds: 1 });
    const end = watch.watchSize();
    await writeFile(join(folder, 'pack'), Buffer.alloc(1001));
    await untilEnded(watch);
    await end();
    expect(watch.signal.reason).toMatchObject({ code: 'REMOTE_TOO_LARGE' });
  });

  it('leaves any other fetch as it is', async () => {
    const watch = watched({});
    expect(await watch.watch(() => Promise.resolve(7))).toBe(7);
    await expect(watch.watch(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(watch.signal.aborted).toBe(false);
  });
});
