import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lookTimes } from './next-look';

/** Longer than the test may take. */
const NEVER = { everyMilliseconds: 3_600_000 };

describe('the next look at a pod, Rule H15,', () => {
  let folder: string;
  let stop: AbortController;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plat-terminals-'));
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await rm(folder, { recursive: true });
  });

  it('comes when a terminal was opened or closed, which may be open for less than the time between two looks', async () => {
    const next = lookTimes(folder, { ...NEVER, interrupted: stop.signal });
    const opened = next();
    await writeFile(join(folder, '0'), '');
    await opened;
    const closed = next();
    await rm(join(folder, '0'));
    await closed;
  });

  it('comes at once if that happened during the look before', async () => {
    const next = lookTimes(folder, { ...NEVER, interrupted: stop.signal });
    const seen = next();
    await writeFile(join(folder, '0'), '');
    await seen;
    const noticed = once(watch(folder, { signal: stop.signal }), 'change');
    await writeFile(join(folder, '1'), '');
    await noticed;
    await next();
  });

  it('does not come sooner for output on a terminal, which changes its entry', async () => {
    await writeFile(join(folder, '0'), '');
    const next = lookTimes(folder, { ...NEVER, interrupted: stop.signal });
    let isOver = false;
    const waiting = next().finally(() => (isOver = true));
    const noticed = once(watch(folder, { signal: stop.signal }), 'change');
    await writeFile(join(folder, '0'), 'output');
    expect(await noticed).toEqual(['change', '0']);
    // Longer than a look waits after a change.
    await delay(1000);
    expect(isOver).toBe(false);
    stop.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });

  it('comes after the given time otherwise, also without terminals', async () => {
    await lookTimes(folder, { everyMilliseconds: 10, interrupted: stop.signal })();
    await lookTimes(join(folder, 'none'), { everyMilliseconds: 10, interrupted: stop.signal })();
  });

  it('does not come after the end', async () => {
    const next = lookTimes(folder, { ...NEVER, interrupted: stop.signal });
    const waiting = next();
    stop.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await expect(next()).rejects.toThrow('aborted');
  });
});
