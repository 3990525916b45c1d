import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { applyDirectory, migrate, schemaSource } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { proveScope, testDirectory } from '@plat/testing';
import { type ValuesOf, wholeNumber } from '../options';
import { partOf, progress, root } from '../part';
import { table } from '../table';
import { type Reading, readPlan, reportPlans } from './explain';
import { prepare, type Rows, seedBuilds, type Seeded, seedReview, seedTrail } from './seed';
import { CALLER, statementsOn } from './statements';

const OPTIONS = {
  'audit-rows': wholeNumber('rows of the audit trail; about 600 bytes each', 40_000_000, 1000),
  builds: wholeNumber('builds; about 500 bytes each', 10_000_000, 1000),
};
type Sizes = ValuesOf<typeof OPTIONS>;
/** The small case has one row in this many of the large one. */
const SHARE = 20;

/** The reads of every statement on the trail and on the builds among many rows, by PostgreSQL's own account. */
export const plansPart = partOf(
  'plans of the statements on the trail and on the builds next to 50 million rows',
  OPTIONS,
  async (sizes, signal) => {
    const folder = await mkdtemp(join(tmpdir(), 'plat-bench-'));
    const cluster = await startCluster({
      dataDir: join(folder, 'postgres'),
      durable: false,
      settings: { max_wal_size: '2GB', wal_level: 'minimal', max_wal_senders: '0', shared_buffers: '2GB' },
    });
    try {
      await migrate(cluster.url(), schemaSource(root));
      await applyDirectory(cluster.url(), testDirectory(CALLER.issuer));
      await measure(cluster.url(), sizes, signal);
    } finally {
      await cluster.stop();
      await rm(folder, { recursive: true });
    }
  },
);

async function measure(ownerUrl: string, sizes: Sizes, signal: AbortSignal): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const seeded = await prepare(owner);
    await seedReview(owner, seeded);
    const small = await readAll(owner, { seeded, sizes, rows: { first: SHARE, step: SHARE }, signal });
    const large = new Map<string, Reading>();
    for (let first = 1; first < SHARE; first += 1) {
      const isLast = first === SHARE - 1;
      const read = await readAll(owner, {
        seeded,
        sizes,
        rows: { first, step: SHARE },
        signal,
        isSeedOnly: !isLast,
      });
      for (const [name, reading] of read) large.set(name, reading);
    }
    process.stdout.write(await report(owner, { small, large, sizes }));
  } finally {
    await owner.end();
  }
}

interface Step {
  seeded: Seeded;
  sizes: Sizes;
  rows: Omit<Rows, 'all'>;
  signal: AbortSignal;
  isSeedOnly?: boolean;
}

/** Adds rows and reads what every statement does then. */
async function readAll(owner: Client, step: Step): Promise<Map<string, Reading>> {
  const { seeded, sizes, rows, signal, isSeedOnly } = step;
  progress(`adding share ${rows.first} of ${rows.step}`);
  await seedTrail(owner, { ...rows, all: sizes['audit-rows'] });
  await seedBuilds(owner, { ...rows, all: sizes.builds }, seeded);
  signal.throwIfAborted();
  const read = new Map<string, Reading>();
  if (isSeedOnly) return read;
  await owner.query('VACUUM ANALYZE');
  const query = async <Row>(text: string, values?: unknown[]) =>
    (await owner.query(text, values)).rows as Row[];
  const { tenantId, proof } = await proveScope(
    { query } as Parameters<typeof proveScope>[0],
    'alice',
    CALLER,
  );
  await reportPlans(owner);
  for (const statement of statementsOn(seeded)) {
    signal.throwIfAborted();
    read.set(statement.name, await readPlan(owner, { tenantId, proof }, statement));
  }
  await owner.query('SET auto_explain.log_min_duration = -1');
  return read;
}

async function report(
  owner: Client,
  { small, large, sizes }: { small: Map<string, Reading>; large: Map<string, Reading>; sizes: Sizes },
): Promise<string> {
  const { rows } = await owner.query<{ name: string; bytes: string }>(
    `SELECT t.name, sum(pg_total_relation_size(i.inhrelid)) AS bytes
       FROM (VALUES ('audit.audit_events'), ('builds.builds')) AS t (name)
       JOIN pg_inherits i ON i.inhparent = t.name::regclass GROUP BY t.name`,
  );
  const shares = rows.map(({ name, bytes }) => `${name} ${(Number(bytes) / 1e9).toFixed(1)} GB`);
  const [few, many] = [sizes['audit-rows'] / SHARE, sizes['audit-rows']].map(millions);
  return [
    `${millions(sizes['audit-rows'])} rows of the trail, ${millions(sizes.builds)} builds: ${shares.join(', ')}\n`,
    table([
      ['statement', `pages, ${few}`, many!, `ms, ${few}`, many!, 'discarded', 'partitions', 'by'],
      ...[...large].map(([name, reading]) => {
        const before = small.get(name) as Reading;
        return [
          name,
          `${before.pages}`,
          `${reading.pages}`,
          before.milliseconds.toFixed(2),
          reading.milliseconds.toFixed(2),
          `${reading.discarded}`,
          `${reading.partitions}`,
          reading.by.join(', '),
        ];
      }),
    ]),
  ].join('');
}

const millions = (rows: number): string => `${rows / 1e6} million`;
