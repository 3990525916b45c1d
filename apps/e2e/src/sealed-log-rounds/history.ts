import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Round } from './round';
import { erasePerson, land, prune, restoreElsewhere, rowsOf, settle, TENANTS, WRITE_ROWS } from './rows';
import { save } from './saved-log';
import { seal, sealDisturbed } from './sealers';
import { newLedgerKey, TENANT } from './stand';

/** Rows that bring a log to the borders of its bundles of 256. */
const BORDERS = [240, 254, 255, 256, 257, 300, 511];
const WRITERS = 50;

type Step = (round: Round) => Promise<void>;

/** The events of a log, each with its frequency: the greater the number, the more often. */
const STEPS: readonly [number, Step][] = [
  [10, (round) => write(round, round.upTo(8))],
  [40, writeAndSeal],
  [10, beginSlow],
  [14, overtake],
  [10, endSlow],
  [8, writeWhileSealing],
  [6, (round) => land(round.stand, round.random.chance(0.4))],
  [6, rotate],
  [5, readMeanwhile],
  [4, ({ stand }) => erasePerson(stand)],
  [3, ({ stand }) => prune(stand)],
  [2, (round) => write(round, round.random.pick(BORDERS))],
  [3, restoreStand],
  [0.5, (round) => writeWhileSealing(round, WRITERS)],
];
const WEIGHT = STEPS.reduce((sum, [weight]) => sum + weight, 0);

/** A tenant's log of a random history, sealed to its last row. */
export async function live(round: Round): Promise<void> {
  await write(round, round.upTo(4));
  for (let steps = 1 + round.upTo(5); steps > 0; steps -= 1) await someStep(round)(round);
  // A backup is made at any moment: with rows that are not sealed yet, or all of them. Nothing is erased after it.
  const isEarlier = round.random.chance(0.5);
  if (isEarlier) await save(round.stand, 'early');
  await sealRest(round);
  if (!isEarlier) await save(round.stand, 'early');
  // Each fault then has rows with their fields to act on, and the early copy lacks something.
  await write(round, 4);
  await sealRest(round);
}

function someStep({ random }: Round): Step {
  let at = random.next() * WEIGHT;
  return STEPS.find(([weight]) => (at -= weight) < 0)![1];
}

/** Ends each open transaction, and has every row sealed, by a sealer that nothing disturbs. */
export async function sealRest(round: Round): Promise<void> {
  while (round.open.length > 0) await endSlow(round);
  await settle(round.stand);
  await seal(round.stand, round.signing);
}

/** Exports the log, and keeps its checkpoint. @returns the folder */
export async function read(round: Round): Promise<string> {
  const folder = await round.export();
  const note = await readFile(join(folder, 'checkpoint'), 'utf8');
  if (!round.known.includes(note)) round.known.push(note);
  return folder;
}

/** Reads what is signed, if anything is. Fields that were erased just now may be withheld until the erasure is sealed. */
async function readMeanwhile(round: Round): Promise<void> {
  if (!(await isSigned(round))) return;
  await read(round).catch((error: { code?: string }) => {
    if (error.code !== 'ERASURE_NOT_SEALED') throw error;
  });
}

async function isSigned({ stand }: Round): Promise<boolean> {
  const { rowCount } = await stand.forced.query(
    'SELECT FROM ledger.logs WHERE tenant_id = $1 AND note IS NOT NULL',
    [TENANT],
  );
  return rowCount! > 0;
}

export async function write({ stand }: Round, rows: number): Promise<void> {
  await stand.writers.query(WRITE_ROWS, rowsOf(TENANT, rows));
}

function sealRows({ stand, signing, random }: Round): Promise<void> {
  return sealDisturbed(stand, { keys: signing, random });
}

async function writeAndSeal(round: Round): Promise<void> {
  await write(round, round.upTo(8));
  await sealRows(round);
}

/** Has rows written and sealed after a transaction has begun that has written rows, and stays open. */
async function overtake(round: Round): Promise<void> {
  await beginSlow(round);
  await writeAndSeal(round);
}

/** Writes rows in a transaction that stays open while others come and go. */
async function beginSlow(round: Round): Promise<void> {
  const client = await round.stand.writers.connect();
  round.open.push(client);
  await client.query('BEGIN');
  await client.query(WRITE_ROWS, rowsOf(round.random.pick(TENANTS), round.upTo(3)));
}

async function endSlow({ open, random }: Round): Promise<void> {
  const [client] = open.splice(Math.floor(random.next() * open.length), 1);
  if (client === undefined) return;
  await client.query(random.chance(0.8) ? 'COMMIT' : 'ROLLBACK');
  client.release();
}

/** Runs several writers at once, of both tenants, together with one or two sealers. */
async function writeWhileSealing(round: Round, writers = round.upTo(6)): Promise<void> {
  const { stand, random } = round;
  const writes = Array.from({ length: writers }, () => rowsOf(random.pick(TENANTS), round.upTo(3)));
  await Promise.all([sealRows(round), ...writes.map((args) => stand.writers.query(WRITE_ROWS, args))]);
}

/** The next state of a rotation: two keys sign, or the older one no longer does. */
async function rotate(round: Round): Promise<void> {
  const { signing } = round;
  round.signWith(signing.length === 1 ? [...signing, newLedgerKey()] : signing.slice(1));
  await sealRows(round);
}

async function restoreStand(round: Round): Promise<void> {
  // A dump has no row of a transaction that is open.
  while (round.open.length > 0) await endSlow(round);
  await restoreElsewhere(round.stand);
}
