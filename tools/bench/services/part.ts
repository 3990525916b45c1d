import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SERVICES } from '@plat/contracts/core';
import { buildPrograms, type Programs, startServer } from '@plat/testing';
import { usePeers } from '../../peers/use-peers';
import { OPTIONS, parseArguments } from '../http/arguments';
import { Stand } from '../http/stand';
import { residentBytes } from '../http/start-up';
import { type Part, progress, root } from '../part';
import { table, verdict } from '../table';
import { measure, type Measured, type Rounds, saturated } from './measure';
import { deployShape, type Shape, standalone, startCollector } from './shape';
import { prepareWorkloads } from './workloads';

const REPLICAS = [1, 2, 4];
/** Least ratio of two replicas to one, where there are processors for them. */
const TWO_TO_ONE = 1.7;
/** Least ratio with telemetry to without. */
const TELEMETRY = 0.95;
const STARTS = 3;
/** After this many milliseconds without requests a service counts as idle. */
const IDLE_AFTER_MS = 1_000;

/** The five services as they are deployed, by the number of replicas, next to standalone and the limit. */
export const servicesPart: Part = {
  summary: 'the five services behind the edge by replicas, start-up, memory, and what telemetry costs',
  options: OPTIONS,
  async run(args, signal) {
    const given = { ...parseArguments(args), signal };
    const stand = new Stand(root);
    try {
      progress('building the programs');
      await usePeers('nginx');
      await stand.set();
      const programs = await buildPrograms(root, join(stand.folder, 'programs'));
      const builder = [join(root, 'tools/build/build.mjs'), 'apps/standalone'];
      await promisify(execFile)(process.execPath, builder);
      const starts = await measureStarts(stand, programs);
      const shapes = await measureShapes(stand, programs, given);
      const telemetry = await measureTelemetry(stand, programs, given);
      process.stdout.write(
        `Node ${process.version}, ${availableParallelism()} CPUs, ${given.rounds} rounds of ${given.seconds} s\n\n` +
          `${shapesTable(shapes)}\n${starts}\n${telemetry}`,
      );
    } finally {
      await stand.strike();
    }
  },
};

/** Each shape alone, so that no other's processes are in the way. */
async function measureShapes(stand: Stand, programs: Programs, given: Rounds): Promise<Measured[]> {
  const measured: Measured[] = [];
  const run = async (starting: Promise<Shape>, only?: string): Promise<void> => {
    const shape = await starting;
    try {
      progress(`measuring ${shape.name}`);
      const workloads = await prepareWorkloads(only ?? shape.url, shape.token);
      for (const workload of only ? workloads.slice(0, 1) : workloads) {
        measured.push(...(await measure([{ shape, workload }], given)));
      }
    } finally {
      await shape.stop();
    }
  };
  const first = await deployShape(stand, { name: 'unused', replicas: 1, programs });
  const { pid, url, stop } = await stand.startLimit('reviews');
  const { database } = first.processes;
  const limit = {
    name: 'limit',
    url,
    token: first.token,
    processes: { limit: [pid], database: database! },
    stop,
  };
  await run(Promise.resolve(limit), first.url);
  await first.stop();
  await run(standalone());
  for (const replicas of REPLICAS) {
    await run(deployShape(stand, { name: `replicas of each: ${replicas}`, replicas, programs }));
  }
  return measured;
}

async function measureTelemetry(stand: Stand, programs: Programs, given: Rounds): Promise<string> {
  progress('measuring telemetry');
  const collector = await startCollector();
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const off = await deployShape(stand, { name: 'telemetry off', replicas: 1, programs });
  const on = await deployShape(stand, { name: 'telemetry on', replicas: 1, programs, environment });
  try {
    const [workload] = await prepareWorkloads(off.url, off.token);
    const lanes = [off, on].map((shape) => ({ shape, workload: workload! }));
    const [without, beside] = await measure(lanes, given);
    const ratio = beside!.requestsPerSecond / without!.requestsPerSecond;
    // Without a received request telemetry was not on, and the ratio says nothing.
    const judged = collector.received() > 0 ? verdict(ratio >= TELEMETRY) : 'NOT EXPORTED';
    const row = ({ shape, requestsPerSecond }: Measured) => [shape, requestsPerSecond.toFixed(0)];
    return table([
      ['', 'requests/s', 'ratio', 'goal', ''],
      row(without!),
      [...row(beside!), ratio.toFixed(2), `>= ${TELEMETRY}`, judged],
    ]);
  } finally {
    await Promise.all([off.stop(), on.stop()]);
    collector.stop();
  }
}

/** Start-up and resident memory of each service, started alone. */
async function measureStarts(stand: Stand, programs: Programs): Promise<string> {
  progress('starting each service');
  const rows = [['', 'start-up ms', 'resident MB']];
  for (const service of SERVICES) {
    const boots: number[] = [];
    let bytes = NaN;
    for (let turn = 0; turn < STARTS; turn++) {
      const environment = stand.environment(service);
      const logFile = join(stand.folder, `${service}.log`);
      const server = await startServer({ args: [programs[service]], environment, logFile });
      boots.push(server.bootMs);
      await delay(IDLE_AFTER_MS);
      bytes = await residentBytes(server.pid);
      await server.stop();
    }
    rows.push([service, Math.min(...boots).toFixed(0), (bytes / 1024 ** 2).toFixed(0)]);
  }
  return table(rows);
}

function shapesTable(measured: Measured[]): string {
  const rows = measured.map((each) => {
    const { shape, workload, requestsPerSecond, p50Ms, p99Ms, processors } = each;
    const used = Object.entries(processors).map(([kind, number]) => `${kind} ${number.toFixed(2)}`);
    return [
      `${workload}, ${shape}`,
      ...[requestsPerSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1)],
      ...[saturated(each), used.join(', ')],
    ];
  });
  const of = (replicas: number) =>
    measured.find(({ shape, workload }) => shape.endsWith(`: ${replicas}`) && workload.startsWith('one'))!;
  const ratio = of(2).requestsPerSecond / of(1).requestsPerSecond;
  const limited = saturated(of(1)).startsWith('all processors');
  const judged = limited ? 'no processors are left for it here' : verdict(ratio >= TWO_TO_ONE);
  return (
    table([['', 'requests/s', 'p50 ms', 'p99 ms', 'limited by', 'processors used'], ...rows]) +
    `\ntwo replicas to one: ${ratio.toFixed(2)} (goal >= ${TWO_TO_ONE} where processors allow: ${judged})\n`
  );
}
