import { address } from '../reads/api-reader';

/** A queue as an address names it. */
export interface NamedQueue {
  targetBranch: string;
  repository?: string | undefined;
}

/** Entries on a page: as many as the route returns. */
const ENTRIES_MAX = 200;

export function statusAddress({ targetBranch, repository }: NamedQueue, cursor?: string): string {
  const query = { targetBranch, repository, limit: String(ENTRIES_MAX), cursor };
  return address('/v1/reviews/merge-queue/status', query);
}

/** One text for a queue, to compare two. */
export const queueKey = ({ targetBranch, repository = '' }: NamedQueue): string =>
  `${repository}\n${targetBranch}`;
