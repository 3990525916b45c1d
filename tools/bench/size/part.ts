import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Stand } from '../http/stand';
import { readOptions, wholeNumber } from '../options';
import { type Part, progress, root } from '../part';
import { measureListing } from './listing';
import { measureQueues } from './queue-growth';
import { measureQueueReads } from './queue-reads';
import { sizeTable } from './report';
import { type SeededQueue, seedListed, seedQueue, seedTrail } from './seed';
import { measureTrail } from './trail-depth';

interface Sizes {
  /** READY reviews of the large queue; the small one has a hundred. */
  ready: number;
  /** Moves of the large queue; the small one has a thousand. */
  moves: number;
  auditRows: number;
  /** Reviews of one listing. */
  listed: number;
}

const DEFAULTS: Sizes = { ready: 100_000, moves: 1_000_000, auditRows: 5_000_000, listed: 10_000 };
const SMALL_QUEUE = { ready: 100, moves: 1000 };
const BUILT = ['apps/reviews', 'apps/audit'];

/** Measures what must not grow with the data: time of queue moves and trail pages, memory of a long listing. */
export const sizePart: Part = {
  summary: 'queue moves and reads, pages of the trail and long listings next to much data',
  options: `    --ready N        READY reviews of the large queue (default ${DEFAULTS.ready})
    --moves N        moves of the large queue (default ${DEFAULTS.moves})
    --audit-rows N   rows of the audit trail (default ${DEFAULTS.auditRows})
    --listed N       reviews of the long listing (default ${DEFAULTS.listed})`,
  async run(args, signal) {
    const sizes = parseArguments(args);
    const stand = new Stand(root);
    try {
      progress('building the apps');
      for (const app of BUILT) {
        await promisify(execFile)(process.execPath, [join(root, 'tools/build/build.mjs'), app]);
      }
      await stand.set();
      await measure(stand, sizes, signal);
    } finally {
      await stand.strike();
    }
  },
};

async function measure(stand: Stand, sizes: Sizes, signal: AbortSignal): Promise<void> {
  const queues = [
    { targetBranch: 'small', ...queueOf(SMALL_QUEUE) },
    { targetBranch: 'large', ...queueOf(sizes) },
  ] as const;
  await seed(stand, { ...sizes, queues }, signal);
  const [reader, lister] = [await stand.token('alice'), await stand.token('mallory')];
  progress('listing reviews');
  const listingService = await stand.startService('reviews');
  const listing = await measureListing(listingService, { token: lister, reviews: sizes.listed });
  await listingService.stop();
  signal.throwIfAborted();
  progress('moving queues');
  const reviews = await stand.startService('reviews');
  const queued = { url: reviews.url, token: reader, queues, signal };
  const moves = await measureQueues(queued);
  progress('reading queues');
  const reads = await measureQueueReads(queued);
  progress('reading the trail');
  const audit = await stand.startService('audit');
  const pages = await measureTrail({ url: audit.url, token: reader, rows: sizes.auditRows, signal });
  process.stdout.write(sizeTable({ moves, reads, pages, listing, sizes }));
}

/** How many reviews wait and were merged, in a queue of so many moves. */
const queueOf = ({ ready, moves }: Pick<Sizes, 'ready' | 'moves'>): { ready: number; merged: number } => ({
  ready,
  merged: Math.max(1, Math.floor((moves - ready) / 3)),
});

async function seed(
  stand: Stand,
  { queues, auditRows, listed }: Sizes & { queues: readonly SeededQueue[] },
  signal: AbortSignal,
): Promise<void> {
  const owner = new Client({ connectionString: stand.ownerUrl });
  await owner.connect();
  try {
    // Keeps checkpoints from slowing the seed. Nothing that is measured here writes much.
    await owner.query(`ALTER SYSTEM SET max_wal_size = '8GB'`);
    await owner.query('SELECT pg_reload_conf()');
    progress(`seeding ${auditRows} audit rows`);
    await seedTrail(owner, auditRows);
    signal.throwIfAborted();
    progress('seeding reviews');
    for (const queue of queues) await seedQueue(owner, queue);
    await seedListed(owner, listed);
    await owner.query('VACUUM ANALYZE');
  } finally {
    await owner.end();
  }
}

function parseArguments(args: string[]): Sizes {
  const text = { type: 'string' } as const;
  const values = readOptions(args, { ready: text, moves: text, 'audit-rows': text, listed: text });
  return {
    ready: wholeNumber('ready', values.ready ?? `${DEFAULTS.ready}`),
    moves: wholeNumber('moves', values.moves ?? `${DEFAULTS.moves}`),
    auditRows: wholeNumber('audit-rows', values['audit-rows'] ?? `${DEFAULTS.auditRows}`),
    listed: wholeNumber('listed', values.listed ?? `${DEFAULTS.listed}`),
  };
}
