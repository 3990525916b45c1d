import { type ApiClient, getMergeQueueStatus, type MergeQueueStatus, readPages } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';

export type Slot = MergeQueueStatus['slot'];
export type Pace = MergeQueueStatus['pace'];
export type Entry = MergeQueueStatus['entries'][number];
export type Estimate = Entry['estimate'];

/** A queue; without a repository the only one that waits. */
export interface QueueName {
  targetBranch: string;
  repository: string | undefined;
}

/** The largest page. */
const PAGE_ENTRIES = 200;
/** Most pages that are read of one queue, so that a queue that grows all the time comes to an end. */
const PAGES_MAX = 50;

/** The status of a queue. @param limit most entries; default: the platform's own */
export function readStatus(api: ApiClient, queue: QueueName, limit?: number): Promise<MergeQueueStatus> {
  return getMergeQueueStatus(api, { query: { ...queue, limit: limit?.toString() } });
}

/** The status of a queue with its entries until one is found, or with all of them. */
export async function readStatusUntil(
  api: ApiClient,
  queue: QueueName,
  found: (entry: Entry) => boolean,
): Promise<MergeQueueStatus> {
  const entries: Entry[] = [];
  const query = { ...queue, limit: PAGE_ENTRIES.toString() };
  const pages = readPages(api, (cursor) => getMergeQueueStatus(api, { query: { ...query, cursor } }));
  let status!: MergeQueueStatus;
  let count = 0;
  for await (status of pages) {
    entries.push(...status.entries);
    count += 1;
    if (count === PAGES_MAX || status.entries.some(found)) break;
  }
  return { ...status, entries };
}

/** Refusals after which a command continues without the status: it is ambiguous, not permitted, or not known there. */
const WITHOUT_STATUS: readonly string[] = ['MERGE_QUEUE_AMBIGUOUS', 'FORBIDDEN', 'NOT_FOUND'];

/** Returns the read value, or undefined if the platform refuses the status of this queue. @throws any other failure */
export async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (WITHOUT_STATUS.includes(apiFailure(error)?.code ?? '')) return undefined;
    throw error;
  }
}
