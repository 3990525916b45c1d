import { readFile } from 'node:fs/promises';
import type { ServerProcess } from '@plat/testing';
import { median } from '../median';
import { Conversation } from './exchange';

/** The figures of a listing of all reviews of a tenant. */
export interface Listing {
  reviews: number;
  milliseconds: number;
  firstByteMs: number;
  bytes: number;
  /** Most resident memory of the service so far, in bytes; NaN if the system doesn't report it. */
  peakBytes: number;
}

const TURNS = 7;

/** Lists all reviews of the token's tenant several times. The times are medians, the memory is the peak of all. */
export async function measureListing(
  service: ServerProcess,
  { token, reviews }: { token: string; reviews: number },
): Promise<Listing> {
  const conversation = new Conversation(service.url, token);
  const taken: { milliseconds: number; firstByteMs: number; bytes: number }[] = [];
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      const listed = await conversation.send<object[]>('GET /v1/reviews', { expected: 200 });
      if (listed.body.length !== reviews) throw new Error(`${listed.body.length} reviews were listed`);
      taken.push(listed);
    }
  } finally {
    await conversation.close();
  }
  return {
    reviews,
    milliseconds: median(taken.map(({ milliseconds }) => milliseconds)),
    firstByteMs: median(taken.map(({ firstByteMs }) => firstByteMs)),
    bytes: taken[0]!.bytes,
    peakBytes: await peakResidentBytes(service.pid),
  };
}

/** Most resident memory of a process so far, in bytes; NaN if the system does not report it. */
export async function peakResidentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024;
}
