import 'reflect-metadata';
import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchArguments, parseArguments, USAGE, UsageError } from './arguments';
import { startUpTable, throughputTable } from './report';
import { compare, type Outcome } from './rounds';
import { type MeasuredService, Stand } from './stand';
import { measureStartUp } from './start-up';
import { prepareWorkloads } from './workloads';

/** Two levels up from the bundle in dist/tools. */
const root = join(__dirname, '..', '..');
const BUILT = ['apps/reviews', 'apps/builds', 'apps/standalone'];

const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** Measures the whole stack beside its limit and prints two tables. It judges nothing: a benchmark is no test. */
async function main(args: string[]): Promise<void> {
  const given = parseArguments(args);
  if (given.help) return void process.stdout.write(USAGE);
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  const stand = new Stand(root);
  try {
    await measure(stand, given, interrupt.signal);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    await stand.strike();
  }
}

async function measure(stand: Stand, given: BenchArguments, signal: AbortSignal): Promise<void> {
  tell('building the apps');
  for (const app of BUILT)
    await promisify(execFile)(process.execPath, [join(root, 'tools/build/build.mjs'), app]);
  signal.throwIfAborted();
  tell('preparing a database');
  await stand.set();
  tell('starting and stopping the programs');
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
    tell(`measuring ${workload.name}`);
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

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof UsageError ? `${error.message}\n\n${USAGE}` : String(error)}\n`);
  process.exitCode = 1;
});
