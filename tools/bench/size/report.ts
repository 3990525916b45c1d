import { table, verdict } from '../table';
import type { Growth } from './growth';
import type { Listing } from './listing';

/** Most that the large case may take, in terms of the small one. */
const QUEUE_GOAL = 1.5;
const PAGE_GOAL = 1.2;
const LISTING_SECONDS_GOAL = 2;
const MEMORY_GOAL_MB = 200;

export function sizeTable({
  moves,
  reads,
  pages,
  listing,
  sizes,
}: {
  moves: Growth[];
  reads: Growth[];
  pages: Growth[];
  listing: Listing;
  sizes: { ready: number; moves: number; auditRows: number };
}): string {
  return [
    growthTable([`next to ${sizes.ready} READY`, 'p50 of 100', `p50 of ${sizes.ready}`], moves, QUEUE_GOAL),
    growthTable([`next to ${sizes.moves} moves`, 'p50 of 1000', `p50 of ${sizes.moves}`], reads, QUEUE_GOAL),
    growthTable([`of ${sizes.auditRows} audit rows`, 'first page', 'deep page'], pages, PAGE_GOAL),
    listingTable(listing),
  ].join('\n');
}

function growthTable(head: string[], growths: Growth[], goal: number): string {
  return table([
    [...head, 'ratio', 'goal', ''],
    ...growths.map(({ name, smallMs, largeMs, ratio }) => [
      name,
      `${smallMs.toFixed(2)} ms`,
      `${largeMs.toFixed(2)} ms`,
      ratio.toFixed(2),
      `<= ${goal}`,
      verdict(ratio <= goal),
    ]),
  ]);
}

function listingTable({ reviews, milliseconds, firstByteMs, bytes, peakBytes }: Listing): string {
  const seconds = milliseconds / 1000;
  const peak = peakBytes / 1024 ** 2;
  const memory = Number.isNaN(peak)
    ? ['most resident memory', 'unknown here']
    : [
        'most resident memory',
        `${peak.toFixed(0)} MB`,
        `<= ${MEMORY_GOAL_MB} MB`,
        verdict(peak <= MEMORY_GOAL_MB),
      ];
  return table([
    [`listing ${reviews} reviews`, '', 'goal', ''],
    ['to the first byte', `${firstByteMs.toFixed(0)} ms`],
    [
      `to the last of ${(bytes / 1e6).toFixed(1)} MB`,
      `${seconds.toFixed(2)} s`,
      `<= ${LISTING_SECONDS_GOAL} s`,
      verdict(seconds <= LISTING_SECONDS_GOAL),
    ],
    memory,
  ]);
}
