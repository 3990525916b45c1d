import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import type { AttackOrder } from '../order';
import { flood } from './flood';
import { sendBodies, takeNothing } from './sockets';
import { Tally } from './tally';

const MANNERS = { flood, unread: takeNothing, bodies: sendBodies };
/** The lowest priority: a real attacker has its own machine and takes no processor time from the attacked one. */
const PRIORITY = 19;
const ALIVE_MS = 60_000;

/** Carries out one order until SIGTERM, then prints what it saw. */
async function main(): Promise<void> {
  setPriority(PRIORITY);
  const order = JSON.parse(await text(process.stdin)) as AttackOrder;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  process.once('SIGTERM', () => stop.abort());
  const tally = new Tally();
  // The parent process measures from here on.
  process.stdout.write('\n');
  // The timer keeps the process alive, because connections that no one reads do not.
  const alive = setInterval(() => undefined, ALIVE_MS);
  const attack = { order, tally, stopped: stop.signal };
  await Promise.all(
    Array.from({ length: order.connections }, (_, place) => MANNERS[order.manner](attack, place)),
  );
  clearInterval(alive);
  process.stdout.write(JSON.stringify(tally));
}

void main();
