import type { ApiReader } from '../reads/api-reader';
import type { QueueStatus } from '../reads/shapes';
import { type NamedQueue, statusAddress } from './queue-address';

/** More than a person reads, and an end to the pages of a queue that grows while it is read. */
const PAGES_MAX = 15;

/** A queue with the reviews that wait in it, of all pages. */
export async function readQueue(
  reader: ApiReader,
  queue: NamedQueue,
  signal: AbortSignal,
): Promise<QueueStatus> {
  const first = await reader.get<QueueStatus>(statusAddress(queue), signal);
  const entries = [...first.entries];
  let cursor = first.nextCursor;
  for (let page = 1; cursor !== undefined && page < PAGES_MAX; page++) {
    const next: QueueStatus = await reader.get(statusAddress(queue, cursor), signal);
    entries.push(...next.entries);
    cursor = next.nextCursor;
  }
  return { ...first, entries, nextCursor: cursor };
}
