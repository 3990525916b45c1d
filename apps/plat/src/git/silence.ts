import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf } from '../processes/process-table';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';

export interface SilenceBounds {
  /** Longest time in which a command and all that it has started may do nothing. */
  silentMilliseconds: number;
  lookMilliseconds: number;
  /** Longest time in all, for a remote that a branch may name: it could send a byte now and then for ever. */
  wholeMilliseconds?: number;
}

/** git's servers send a byte every few seconds while they work, so that half an hour without one is no work. */
export const SILENCE: SilenceBounds = { silentMilliseconds: 30 * 60_000, lookMilliseconds: 30_000 };

/** The bounds for submodules, whose remotes a branch names. A drive waits for them, and others wait for the drive. */
export const SUBMODULES_MILLISECONDS_MAX = 4 * 60 * 60_000;
export const SILENCE_OF_SUBMODULES: SilenceBounds = {
  ...SILENCE,
  wholeMilliseconds: SUBMODULES_MILLISECONDS_MAX,
};

/** Least part of the time that a process computes if it works. One that only waits also wakes now and then. */
const WORK_SHARE = 0.01;
const TICK_MILLISECONDS = 10;

/** The work that a command, and all that it has started, has done so far. */
export interface Life {
  /** The bytes that each process has read and written, from files, pipes and connections. */
  bytes: string;
  computedMilliseconds: number;
}

/**
 * Watches whether a command that talks to a remote is alive: whether it, or a process that it has started, such as ssh or
 * a hook, moves any byte or computes. git sets no bound for the silence of a remote over ssh. Watches nothing where the
 * machine does not show that, as on macOS.
 *
 * @param silent called with the failure if nothing was done for too long, or if it takes too long in all
 * @returns ends the watch
 */
export function watchSilence(
  pid: number | undefined,
  { silentMilliseconds, lookMilliseconds, wholeMilliseconds }: SilenceBounds,
  silent: (failure: Failure) => void,
): () => void {
  const done = new AbortController();
  const whole =
    wholeMilliseconds && setTimeout(() => silent(remoteSlow(wholeMilliseconds)), wholeMilliseconds);
  const watch = async (of: number) => {
    const judge = new SilenceJudge(silentMilliseconds);
    while (!done.signal.aborted) {
      await delay(lookMilliseconds, undefined, { signal: done.signal, ref: false });
      const life = await lifeOf(of);
      if (life === undefined) return;
      if (judge.isSilent(life, performance.now())) return silent(remoteSilent(silentMilliseconds));
    }
  };
  if (pid !== undefined) void watch(pid).catch(() => undefined);
  return () => {
    clearTimeout(whole);
    done.abort();
  };
}

/** Decides from what is seen of a command, look by look. */
export class SilenceJudge {
  /** The last look at which something had been done since the one before. */
  private last?: { life: Life; at: number };

  constructor(private readonly silentMilliseconds: number) {}

  /** @param now in milliseconds */
  isSilent(life: Life, now: number): boolean {
    if (this.last && life.bytes === this.last.life.bytes) {
      const since = now - this.last.at;
      const computed = life.computedMilliseconds - this.last.life.computedMilliseconds;
      if (computed <= WORK_SHARE * since) return since > this.silentMilliseconds;
    }
    this.last = { life, at: now };
    return false;
  }
}

/** @returns undefined if the machine does not show it */
export async function lifeOf(pid: number): Promise<Life | undefined> {
  const pids = [pid, ...(await descendantsOf(pid))];
  const lives = await Promise.all(pids.map(lifeOfOne));
  if (lives[0] === undefined) return undefined;
  return {
    // A process that ended since has another text too.
    bytes: lives.map((life, at) => `${pids[at]} ${life?.bytes}`).join('\n'),
    computedMilliseconds: lives.reduce((sum, life) => sum + (life?.computedMilliseconds ?? 0), 0),
  };
}

async function lifeOfOne(pid: number): Promise<Life | undefined> {
  try {
    const [io, stat] = await Promise.all([
      readFile(`/proc/${pid}/io`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The name of the program may have spaces and brackets. utime and stime are the 12th and 13th field after it.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    const bytes = /^rchar: (\d+)\nwchar: (\d+)$/m.exec(io)?.[0];
    if (bytes === undefined) return undefined;
    return { bytes, computedMilliseconds: ((user ?? 0) + (system ?? 0)) * TICK_MILLISECONDS };
  } catch {
    return undefined;
  }
}

const NEXT = nextStep('look whether the remote answers git ls-remote, then repeat the command');

const remoteSilent = (milliseconds: number): Failure =>
  new Failure(
    'REMOTE_SILENT',
    `The remote has sent nothing for ${Math.ceil(milliseconds / 60_000)} minutes, and git has done nothing.`,
    { next: NEXT },
  );

/** The failure of a remote that took too long in all. */
export const remoteSlow = (milliseconds: number): Failure =>
  new Failure(
    'REMOTE_SILENT',
    `The remote has not sent everything within ${Math.ceil(milliseconds / 60_000)} minutes.`,
    { next: NEXT },
  );
