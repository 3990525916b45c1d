import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Part, progress, root } from '../part';
import { type BenchArguments, OPTIONS, parseArguments } from './arguments';
import { startUpTable, throughputTable } from './report';
import { compare, type Outcome } from './rounds';
import { type MeasuredService, Stand } from './stand';
import { measureStartUp } from './start-up';
import { prepareWorkloads } from './workloads';

const BUILT = ['apps/reviews', 'apps/builds', 'apps/standalone'];

/** Compares the whole stack with its limit: a bare node:http + pg server that runs the same statements. */
export const httpPart: Part = {
  summary: 'requests per second compared with the limit of this machine, start-up and memory',
  options: OPTIONS,
  async run(args, signal) {
    const given = parseArguments(args);
    const stand = new Stand(root);
    try {
      await measure(stand, given, signal);
    } finally {
      await stand.strike();
    }
  },
};

async function measure(stand: Stand, given: BenchArguments, signal: AbortSignal): Promise<void> {
  progress('building the apps');
  for (const app of BUILT) {
    await promisify(execFile)(process.execPath, [join(root, 'tools/build/build.mjs'), app]);
  }
  signal.throwIfAborted();
  progress('preparing a database');
  await stand.set();
  progress('starting and stopping the programs');
  const startUp = await measureStartUp(stand, root, signal);
  const outcomes = await measureRequests(stand, given, signal);
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} CPUs, ${given.rounds} rounds of ${given.seconds} s\n\n`,
  );
  process.stdout.write(`${throughputTable(outcomes)}\n${startUpTable(startUp)}`);
}

async function measureRequests(stand: Stand, given: BenchArguments, signal: AbortSignal): Promise<Outcome[]> {
  const workloads = await prepareWorkloads(stand.seed);
  const servers = { reviews: await startPair(stand, 'reviews'), builds: await startPair(stand, 'builds') };
  const outcomes: Outcome[] = [];
  for (const workload of workloads) {
    progress(`measuring ${workload.name}`);
    const token = await stand.token(workload.user);
    outcomes.push(await compare({ workload, token, ...servers[workload.service] }, { ...given, signal }));
  }
  return outcomes;
}

async function startPair(stand: Stand, service: MeasuredService) {
  const { url: serviceUrl } = await stand.startService(service);
  const { url: limitUrl } = await stand.startLimit(service);
  return { serviceUrl, limitUrl };
}
