import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds } from '../cpu';
import { onStand } from '../http/stand';
import { residentBytes } from '../http/start-up';
import { positiveNumber, wholeNumber } from '../options';
import { partOf, progress } from '../part';
import { table, verdict } from '../table';
import { Crowd } from './crowd';

const MB = 1024 ** 2;
/** The most that the waiters may cost their service. */
const GOAL = { bytes: 30 * MB, processor: 0.05 };
/** Reads before the first measurement, so that the service has compiled its code and has its buffers. */
const WARM_UP_READS = 3_000;

/** The cost of requests that wait for a change, to the process in which they wait. */
export const waitingPart = partOf(
  'memory and processor time of requests that wait for a change (Prefer: wait)',
  {
    waiters: wholeNumber('requests that wait at once', 1000),
    seconds: positiveNumber('how long they are looked at; each asks again every 30 s', 60),
  },
  ({ waiters, seconds }, signal) =>
    onStand(['apps/reviews'], async (stand) => {
      const service = await stand.startService('reviews');
      const crowd = new Crowd({ url: service.url, token: await stand.token('alice'), signal });
      stand.keep(() => Promise.resolve(crowd.stop()));
      progress('warming up');
      await crowd.read(WARM_UP_READS);
      const idle = await look(service.pid, seconds / 2);
      progress(`${waiters} requests wait`);
      await crowd.wait(waiters);
      const busy = await look(service.pid, seconds);
      process.stdout.write(report({ waiters, seconds, answers: crowd.answers, idle, busy }));
    }),
);

interface Seen {
  /** Resident memory at the end. */
  bytes: number;
  /** Share of one processor. */
  processor: number;
}

async function look(pid: number, seconds: number): Promise<Seen> {
  const before = await cpuSeconds(pid);
  await delay(seconds * 1000);
  const processor = ((await cpuSeconds(pid)) - before) / seconds;
  return { bytes: await residentBytes(pid), processor };
}

interface Measured {
  waiters: number;
  seconds: number;
  answers: number;
  idle: Seen;
  busy: Seen;
}

function report({ waiters, seconds, answers, idle, busy }: Measured): string {
  const bytes = busy.bytes - idle.bytes;
  const processor = busy.processor - idle.processor;
  const mb = (value: number) => (value / MB).toFixed(1);
  const percent = (value: number) => (value * 100).toFixed(1);
  return (
    `${waiters} waiters for ${seconds} s, ${answers} answers meanwhile\n` +
    table([
      ['', 'idle', 'waiting', 'cost', 'goal', ''],
      [
        ...['resident MB', mb(idle.bytes), mb(busy.bytes), mb(bytes)],
        ...[`<= ${mb(GOAL.bytes)}`, verdict(bytes <= GOAL.bytes)],
      ],
      [
        ...['% of a processor', percent(idle.processor), percent(busy.processor), percent(processor)],
        ...[`<= ${percent(GOAL.processor)}`, verdict(processor <= GOAL.processor)],
      ],
    ])
  );
}
