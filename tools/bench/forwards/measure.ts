import { median } from '../median';
import { progress } from '../part';
import { call, callAtOnce, callOften } from './caller';
import type { Contender } from './contender';
import { processorSeconds, residentBytes, wakeUpsPerSecond } from './process-figures';

const MEBIBYTE = 1024 ** 2;
const STREAM_BYTES = 128 * MEBIBYTE;
const FRESH_CONNECTIONS = 40;
const AT_ONCE = 200;
const MANY = 10_000;
/** Memory settles during the first connections; growth is counted after them. */
const FIRST_OF_MANY = 1_000;
/** Longer than any connection that is kept for the next request. */
const REST_SECONDS = 30;
const IDLE_SECONDS = 20;

export interface Figures {
  name: string;
  /** MiB per second. */
  down: number;
  up: number;
  /** Seconds of the process's own processor time for a GiB down and one up. */
  processorSeconds: number;
  /** Medians and 95th percentile, in milliseconds. */
  firstByteMs: number;
  firstByteP95Ms: number;
  atOnceMs: number;
  atOnceFailed: number;
  /** Bytes, after at least 1 GiB has passed. */
  residentBytes: number;
  /** Bytes, after 1,000 and after 10,000 more connections. */
  residentEarly: number;
  residentLate: number;
  manyFailed: number;
  wakeUps: number;
}

/** Measures the contenders in turns, so that other load on the machine affects all alike. */
export async function measure(
  contenders: readonly Contender[],
  rounds: number,
  signal: AbortSignal,
): Promise<Figures[]> {
  const notes = contenders.map((contender) => new Notes(contender));
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const order = round % 2 === 0 ? notes : [...notes].reverse();
    for (const note of order) {
      signal.throwIfAborted();
      await note.round(round > 0);
    }
  }
  for (const note of notes) {
    progress(`${note.name}: ${MANY} connections`);
    await note.many(signal);
  }
  progress('waiting until both are idle');
  return Promise.all(notes.map((note) => note.idle(signal)));
}

/** The measurements of one contender. */
class Notes {
  private readonly down: number[] = [];
  private readonly up: number[] = [];
  private readonly firstBytes: number[] = [];
  private readonly atOnce: number[] = [];
  private readonly processor: number[] = [];
  private streamed = 0;
  private atOnceFailed = 0;
  private readonly memory = { residentBytes: 0, residentEarly: 0, residentLate: 0, manyFailed: 0 };

  constructor(private readonly contender: Contender) {}

  get name(): string {
    return this.contender.name;
  }

  /** @param counts false for the round that fills the caches */
  async round(counts: boolean): Promise<void> {
    const { port } = this.contender;
    const firstBytes: number[] = [];
    for (let at = 0; at < FRESH_CONNECTIONS; at++) {
      firstBytes.push((await call(port, 'download', 1)).firstByteMs);
    }
    const before = await processorSeconds(this.contender.processId);
    const [down, up] = [await this.stream('download'), await this.stream('upload')];
    const spent = (await processorSeconds(this.contender.processId)) - before;
    const { totalMs, failed } = await callAtOnce(port, AT_ONCE);
    if (!counts) return;
    this.firstBytes.push(...firstBytes);
    this.down.push(down);
    this.up.push(up);
    this.processor.push((spent * 1024 * MEBIBYTE) / STREAM_BYTES);
    this.atOnce.push(totalMs);
    this.atOnceFailed += failed;
  }

  async many(signal: AbortSignal): Promise<void> {
    const { port, processId } = this.contender;
    while (this.streamed < 1024 * MEBIBYTE) await this.stream('download');
    this.memory.residentBytes = await residentBytes(processId);
    this.memory.manyFailed = await callOften(port, FIRST_OF_MANY, signal);
    this.memory.residentEarly = await residentBytes(processId);
    this.memory.manyFailed += await callOften(port, MANY - FIRST_OF_MANY, signal);
    this.memory.residentLate = await residentBytes(processId);
  }

  async idle(signal: AbortSignal): Promise<Figures> {
    await rest(REST_SECONDS, signal);
    const sorted = [...this.firstBytes].sort((one, other) => one - other);
    return {
      name: this.name,
      down: median(this.down),
      up: median(this.up),
      processorSeconds: median(this.processor),
      firstByteMs: median(sorted),
      firstByteP95Ms: sorted[Math.floor(sorted.length * 0.95)]!,
      atOnceMs: median(this.atOnce),
      atOnceFailed: this.atOnceFailed,
      ...this.memory,
      wakeUps: await wakeUpsPerSecond(this.contender.processId, IDLE_SECONDS),
    };
  }

  /** @returns MiB per second */
  private async stream(errand: 'download' | 'upload'): Promise<number> {
    const { totalMs } = await call(this.contender.port, errand, STREAM_BYTES);
    this.streamed += STREAM_BYTES;
    return STREAM_BYTES / MEBIBYTE / (totalMs / 1000);
  }
}

function rest(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
