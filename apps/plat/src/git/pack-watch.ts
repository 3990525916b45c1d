import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../terminal/failure';

const LOOK_MILLISECONDS = 250;

export interface PackBounds {
  /** Most bytes of all packs. */
  bytesMax: number;
  /** Longest time in which a fetch may receive nothing. */
  silentMilliseconds: number;
  /** Time between two looks; default a quarter of a second. */
  lookMilliseconds?: number;
}

/** Ends fetches from a remote that is not trusted. git itself bounds neither the size of a pack nor the silence of ssh. */
export interface PackWatch {
  /** Aborted with the failure, once a bound is exceeded. */
  signal: AbortSignal;
  /**
   * Watches the packs while the work fetches.
   *
   * @throws Failure REMOTE_TOO_LARGE, REMOTE_SILENT, also if the work has ended
   */
  watch<T>(work: () => Promise<T>): Promise<T>;
  /** Watches the size alone until the returned function is called: git fetches what it lacks of a partial clone at any time. */
  watchSize(): () => Promise<void>;
}

/** @param folder of the packs, `objects/pack`; need not be there yet */
export function watchPacks(folder: string, bounds: PackBounds): PackWatch {
  const ended = new AbortController();
  const begin = (silentMilliseconds: number) => {
    const done = new AbortController();
    const watching = watch({ look, bounds: { ...bounds, silentMilliseconds }, ended, done: done.signal });
    return async () => {
      done.abort();
      await watching;
      await look();
    };
  };
  const look = async (): Promise<number> => {
    const bytes = await bytesIn(folder);
    if (bytes > bounds.bytesMax) ended.abort(tooLarge(bounds));
    return bytes;
  };
  return {
    signal: ended.signal,
    async watch(work) {
      const end = begin(bounds.silentMilliseconds);
      try {
        return await work();
      } finally {
        await end();
        ended.signal.throwIfAborted();
      }
    },
    watchSize: () => begin(Infinity),
  };
}

interface Watching {
  look(): Promise<number>;
  bounds: PackBounds;
  ended: AbortController;
  /** Ends the watch. */
  done: AbortSignal;
}

async function watch({ look, bounds, ended, done }: Watching): Promise<void> {
  let [last, since] = [0, performance.now()];
  while (!done.aborted && !ended.signal.aborted) {
    const bytes = await look();
    const now = performance.now();
    if (bytes !== last) [last, since] = [bytes, now];
    else if (now - since > bounds.silentMilliseconds) ended.abort(silent(bounds));
    const pause = bounds.lookMilliseconds ?? LOOK_MILLISECONDS;
    await delay(pause, undefined, { signal: done }).catch(() => undefined);
  }
}

/** The size of the files in a folder. git may rename and remove them at any time. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The bytes that a remote may send into a folder: half of what its disk has free. */
export async function halfOfFreeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 2;
}

const MEBIBYTE = 1024 * 1024;

const tooLarge = ({ bytesMax }: PackBounds): Failure =>
  new Failure(
    'REMOTE_TOO_LARGE',
    `The remote sends more than ${Math.ceil(bytesMax / MEBIBYTE)} MiB, half of what the disk had free.`,
    { next: 'set TMPDIR to a folder with more space if you trust the remote, then repeat the command' },
  );

const silent = ({ silentMilliseconds }: PackBounds): Failure =>
  new Failure(
    'REMOTE_SILENT',
    `The remote has sent nothing for ${Math.ceil(silentMilliseconds / 60_000)} minutes.`,
    { next: 'look whether the remote answers git ls-remote, then repeat the command' },
  );
