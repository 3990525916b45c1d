import { cpus } from 'node:os';
import { positiveNumber, type ValuesOf } from '../options';
import { partOf, progress, root } from '../part';
import { startUpTable, throughputTable } from './report';
import { compare, type Outcome } from './rounds';
import { type MeasuredService, onStand, type Stand } from './stand';
import { measureStartUp } from './start-up';
import { prepareWorkloads } from './workloads';

const BUILT = ['apps/reviews', 'apps/builds', 'apps/standalone'];

const ROUNDS = {
  seconds: positiveNumber('length of a round', 1),
  rounds: positiveNumber('rounds of each server and kind of request', 5),
};
type Rounds = ValuesOf<typeof ROUNDS>;

/** Compares the whole stack with its limit: a bare node:http + pg server that runs the same statements. */
export const httpPart = partOf(
  'requests per second compared with the limit of this machine, start-up and memory',
  ROUNDS,
  (given, signal) => onStand(BUILT, (stand) => measure(stand, given, signal)),
);

async function measure(stand: Stand, given: Rounds, signal: AbortSignal): Promise<void> {
  progress('starting and stopping the programs');
  const startUp = await measureStartUp(stand, root, signal);
  const outcomes = await measureRequests(stand, given, signal);
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} CPUs, ${given.rounds} rounds of ${given.seconds} s\n\n`,
  );
  process.stdout.write(`${throughputTable(outcomes)}\n${startUpTable(startUp)}`);
}

async function measureRequests(stand: Stand, given: Rounds, signal: AbortSignal): Promise<Outcome[]> {
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
