import { LedgerKeys, Sealer } from '@plat/audit';
import type { Database } from '@plat/database';
import { createLog } from '@plat/service';
import type { Random } from '@plat/testing';
import { type Ending, ENDINGS, SET_FUSE } from './fuse';
import { CONNECTIONS, HOST, type LedgerKey, type LogStand } from './stand';

/** More statements than one pass of a sealer has. */
const STATEMENTS_MAX = 8;
/** More writes than the transactions of one pass have. */
const WRITES_MAX = 24;
/** As long as one pass takes, in round trips to the database. */
const TRIPS_MAX = 60;

/** A lost connection, as the database's kit reports it, and the two errors of the fuse. */
const ACCIDENT_CODES: readonly unknown[] = ['SERVICE_UNAVAILABLE', '53100', '22000'];

class ProcessEnded extends Error {}

const log = createLog('rounds', 'silent');

/** A sealer of its own process. */
const sealerOn = (database: Database, keys: readonly LedgerKey[]): Sealer =>
  new Sealer(
    { database, log },
    { keys: new LedgerKeys(keys.map(({ key }) => key)), host: HOST, afterSeconds: 0 },
  );

/**
 * Has everything sealed and signed that can be. As the service does, it tries again if it fails: a connection that was
 * cut while it was not in use fails once.
 */
export async function seal({ sealing }: LogStand, keys: readonly LedgerKey[]): Promise<void> {
  const sealer = sealerOn(sealing, keys);
  for (let left = CONNECTIONS; ; left -= 1) {
    try {
      await sealer.seal(HOST);
      return;
    } catch (error) {
      if (left === 0 || !isAccident(error)) throw error;
    }
  }
}

/** A disturbance of sealers. */
type Accident = (stand: LogStand, random: Random) => Promise<void>;

/** Lets one or two sealers at once try, whose processes, connections or statements end at any moment. */
export async function sealDisturbed(
  stand: LogStand,
  { keys, random }: { keys: readonly LedgerKey[]; random: Random },
): Promise<void> {
  const passes = Array.from({ length: random.chance(0.6) ? 2 : 1 }, () =>
    sealerOn(random.chance(0.25) ? endingProcess(stand.sealing, random) : stand.sealing, keys),
  );
  const accident = random.pick(ACCIDENTS);
  await accident.before(stand, random);
  const ended = await Promise.allSettled([
    ...passes.map((sealer) => sealer.seal(HOST)),
    accident.during(stand, random),
  ]);
  await stand.forced.query(SET_FUSE, [0, '']);
  const defect = ended.find((one) => one.status === 'rejected' && !isAccident(one.reason));
  if (defect) throw (defect as PromiseRejectedResult).reason;
}

/** Whether a pass failed by its accident, and by nothing else, such as a deadlock. */
function isAccident(error: unknown): boolean {
  return error instanceof ProcessEnded || ACCIDENT_CODES.includes((error as { code?: unknown }).code);
}

const nothing = async (): Promise<void> => undefined;

const NO_ACCIDENT = { before: nothing, during: nothing };
const BURNT_FUSE = {
  before: (stand: LogStand, random: Random) => setFuse(stand, random, random.pick(ENDINGS)),
  during: nothing,
};
const CUT = { before: nothing, during: cutSoon };
/** Connections are cut more rarely: each new one costs as much as many statements. */
const ACCIDENTS: readonly Record<'before' | 'during', Accident>[] = [
  NO_ACCIDENT,
  NO_ACCIDENT,
  BURNT_FUSE,
  BURNT_FUSE,
  CUT,
];

/** Cuts the connections of the sealers after this many round trips to the database. */
async function cutSoon(stand: LogStand, random: Random): Promise<void> {
  for (let trips = Math.floor(random.next() * TRIPS_MAX); trips > 0; trips -= 1) {
    await stand.forced.query('SELECT');
  }
  await stand.cutSealers();
}

async function setFuse({ forced }: LogStand, random: Random, ending: Ending): Promise<void> {
  await forced.query(SET_FUSE, [1 + Math.floor(random.next() * WRITES_MAX), ending]);
}

/** The database of a process that ends before one of its statements: no later one is sent. */
function endingProcess(database: Database, random: Random): Database {
  let left = Math.floor(random.next() * STATEMENTS_MAX);
  return new Proxy(database, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (left <= 0) return Promise.reject(new ProcessEnded());
        left -= 1;
        return (value as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
