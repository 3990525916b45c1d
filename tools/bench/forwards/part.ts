import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, wholeNumber } from '../options';
import { type Part, progress } from '../part';
import { type Contender, startDaemon, startKubectl } from './contender';
import { measure } from './measure';
import { measureOpening, openingTable } from './opening';
import { forwardsTable } from './report';
import { Stand } from './stand';

const ROUNDS_DEFAULT = 5;

/** Port forwards over a real API server, compared with kubectl in the same run. */
export const forwardsPart: Part = {
  summary: 'port forwards over a real API server, compared with kubectl: throughput, latency, memory, idle',
  options: `    --rounds N     rounds of both (default ${ROUNDS_DEFAULT})
    --client DIR   another build of the client to measure`,
  async run(args, signal) {
    const { rounds, client } = readArguments(args);
    const folder = await mkdtemp(join(tmpdir(), 'plat-bench-'));
    const closing: Array<() => Promise<unknown>> = [() => rm(folder, { recursive: true })];
    const keep = async <Kept extends Pick<Contender, 'stop'>>(starting: Promise<Kept>): Promise<Kept> => {
      const kept = await starting;
      closing.push(() => kept.stop());
      return kept;
    };
    try {
      const stand = await keep(Stand.start());
      progress('starting kubectl and the daemon');
      const contenders = [
        await keep(startKubectl(stand)),
        await keep(startDaemon(stand, { folder, client })),
      ];
      const [kubectl, plat] = await measure(contenders, rounds, signal);
      process.stdout.write(`Node ${process.version}, ${cpus().length} CPUs, medians of ${rounds} rounds\n\n`);
      process.stdout.write(forwardsTable(kubectl!, plat!));
      progress('opening an environment');
      const opening = await measureOpening(stand, { folder, client, rounds });
      process.stdout.write(`\n${openingTable(opening)}`);
    } finally {
      for (const close of closing.reverse()) await close();
    }
  },
};

function readArguments(args: string[]): { rounds: number; client?: string } {
  const { rounds, client } = readOptions(args, {
    rounds: { type: 'string', default: `${ROUNDS_DEFAULT}` },
    client: { type: 'string' },
  });
  return { rounds: wholeNumber('rounds', rounds), client };
}
