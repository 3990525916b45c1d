import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { applyDirectory, migrate, schemaSource } from '@plat/database';
import { startCluster } from '@plat/embedded';
import { examineDatabase, INVARIANTS } from '@plat/invariants';
import { testDirectory } from '@plat/testing';
import { type Part, progress, root, UsageError } from '../part';
import { table, verdict } from '../table';
import { seedBranch } from './seed';

/** Number of reviews of one branch by default. */
const REVIEWS = 20_000;
const SECONDS_GOAL = 5;

/** How long `npm run invariants` takes as the owner that the deployment's guide asks for. */
export const invariantsPart: Part = {
  summary: 'seconds that npm run invariants takes beside many reviews of one branch',
  options: `    --reviews N      reviews of the branch (default ${REVIEWS}); a quarter and a half of them before`,
  async run(args, signal) {
    const reviews = parseArguments(args);
    const folder = await mkdtemp(join(tmpdir(), 'plat-bench-'));
    const cluster = await startCluster({ dataDir: join(folder, 'postgres'), durable: false });
    try {
      const url = await prepare(cluster.url());
      const rows = [['reviews of one branch', 'seconds', 'goal', '']];
      for (const [place, size] of [reviews / 4, reviews / 2, reviews].map(Math.ceil).entries()) {
        const seconds = await measure(url, { branch: `branch-${place}`, reviews: size });
        signal.throwIfAborted();
        const goal = size === reviews ? [`< ${SECONDS_GOAL}`, verdict(seconds < SECONDS_GOAL)] : [];
        rows.push([`${size}`, seconds.toFixed(2), ...goal]);
      }
      process.stdout.write(`${INVARIANTS.length} invariants, none broken\n${table(rows)}`);
    } finally {
      await cluster.stop();
      await rm(folder, { recursive: true });
    }
  },
};

interface DatabaseUrls {
  owner: string;
  superuser: string;
}

/** A database whose owner may create roles and is no superuser. */
async function prepare(clusterUrl: string): Promise<DatabaseUrls> {
  const superuser = Object.assign(new URL(clusterUrl), { pathname: '/plat' }).href;
  const owner = Object.assign(new URL(superuser), { username: 'owner', password: 'bench' }).href;
  await asSuperuser(clusterUrl, async (client) => {
    await client.query(`CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'bench'`);
    await client.query('CREATE DATABASE plat OWNER owner');
  });
  await migrate(owner, schemaSource(root));
  await applyDirectory(owner, testDirectory('https://issuer.example.com'));
  return { owner, superuser };
}

async function measure(
  { owner, superuser }: DatabaseUrls,
  { branch, reviews }: { branch: string; reviews: number },
): Promise<number> {
  progress(`seeding ${reviews} reviews`);
  await asSuperuser(superuser, async (client) => {
    await client.query('TRUNCATE reviews.reviews, reviews.queues, builds.builds, releases.releases CASCADE');
    await seedBranch(client, branch, reviews);
  });
  const start = performance.now();
  const broken = await examineDatabase(owner);
  const seconds = (performance.now() - start) / 1000;
  if (broken.length > 0) throw new Error(`The seed breaks promises: ${JSON.stringify(broken)}`);
  return seconds;
}

async function asSuperuser(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

function parseArguments(args: string[]): number {
  try {
    const { values } = parseArgs({ args, options: { reviews: { type: 'string' } } });
    const reviews = Number(values.reviews ?? REVIEWS);
    if (Number.isInteger(reviews) && reviews >= 4) return reviews;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  throw new UsageError('--reviews must be a whole number above 3');
}
