import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text, wholeNumber } from '../options';
import { partOf, progress } from '../part';
import { type Contender, startDaemon, startKubectl } from './contender';
import { measure } from './measure';
import { measureOpening, openingTable } from './opening';
import { forwardsTable } from './report';
import { Stand } from './stand';

/** Port forwards over a real API server, compared with kubectl in the same run. */
export const forwardsPart = partOf(
  'port forwards over a real API server, compared with kubectl: throughput, latency, memory, idle',
  {
    rounds: wholeNumber('rounds of both', 5),
    client: text('another build of the client to measure', 'DIR'),
  },
  async ({ rounds, client }, signal) => {
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
);
