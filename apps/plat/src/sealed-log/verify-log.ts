import { HASH_BYTES, logPath, type Tile, TILE_WIDTH, type VerifierKey, verifierKeyOf } from '@plat/ledger';
import { Altered } from './altered';
import { contradictionOf, demandKnownSigned, demandSameLog, type KnownCheckpoint } from './known-checkpoints';
import { LogChecks, type ReadEntry } from './log-checks';
import type { LogFolder } from './log-folder';
import { belongs, CHECKPOINT, firstEntryOf, isOfLog, tenantOf } from './log-layout';
import { readBundles } from './read-bundles';
import { type SignedCheckpoint, type VerifiedCheckpoint, verifyCheckpoint } from './signed-checkpoint';

/** The keys and checkpoints by which a log is judged. */
export interface Trusted {
  /** The keys that may sign it. */
  keys: readonly VerifierKey[];
  /** Checkpoints of it that were known before, signed by such a key or by one that the log records. */
  known: readonly KnownCheckpoint[];
  /** Reads the checkpoint that this client verified before, if any, of that log. Called once the name is signed. */
  remembered?(origin: string): Promise<SignedCheckpoint | undefined>;
}

/** Takes each entry of a log, in their order, once it was checked by itself. It counts only if the log is then judged sound. */
export type EntryReader = (entry: ReadEntry, index: number) => void;

/** A log of which every entry is the one that its checkpoint signs. */
interface WholeLog {
  checkpoint: VerifiedCheckpoint;
  /** How many entries show no fields, because a later one says that these were erased. */
  erased: number;
  /** The newer checkpoint that this client has seen of the log: the entries that are not here cannot be judged. */
  newer?: SignedCheckpoint;
}

/** The judgement of an exported log. */
export type Judgement =
  | ({ outcome: 'SOUND' } & WholeLog)
  | ({ outcome: 'CONTRADICTS'; reason: string } & WholeLog)
  | {
      outcome: 'ALTERED';
      /** One plain sentence. */
      reason: string;
      /** The first entry that is concerned, if it is known. */
      index?: number;
    };

/**
 * Checks an exported log as a whole. It needs nothing but its files and what is trusted.
 *
 * @param read takes the entries while they are checked: who read the files again could be shown others
 * @throws Failure KNOWN_OF_ANOTHER_LOG, KNOWN_NOT_SIGNED
 */
export async function verifyLog(folder: LogFolder, trusted: Trusted, read?: EntryReader): Promise<Judgement> {
  try {
    const checkpoint = await readSigned(folder, trusted.keys);
    const { known, newer } = await findCheckpoints(checkpoint, trusted);
    const sizes = known.map(({ size }) => size);
    const checks = new LogChecks(demandTenant(checkpoint.origin), sizes);
    const erased = await checkEntries(folder, { checkpoint, checks, read });
    await demandNothingElse(folder, checkpoint.size);
    demandKnownSigned(known, [...trusted.keys, ...recordedKeys(checks, checkpoint.origin)]);
    const reason = contradictionOf(checkpoint, { checks, known });
    const whole = { checkpoint, erased, newer };
    return reason === undefined
      ? { outcome: 'SOUND', ...whole }
      : { outcome: 'CONTRADICTS', ...whole, reason };
  } catch (error) {
    if (!(error instanceof Altered)) throw error;
    return { outcome: 'ALTERED', reason: error.message, index: error.index };
  }
}

async function readSigned(folder: LogFolder, keys: readonly VerifierKey[]): Promise<VerifiedCheckpoint> {
  const note = await folder.read(CHECKPOINT);
  if (note === undefined) throw new Altered(`The file ${CHECKPOINT} is missing.`);
  try {
    return verifyCheckpoint(note, keys);
  } catch (error) {
    throw new Altered(`The checkpoint does not count: ${(error as Error).message}`);
  }
}

/**
 * Finds the checkpoints that the log is compared with, and a newer one that it does not reach.
 *
 * @throws Failure KNOWN_OF_ANOTHER_LOG
 */
async function findCheckpoints(
  { origin, size }: VerifiedCheckpoint,
  { known, remembered }: Trusted,
): Promise<{ known: readonly KnownCheckpoint[]; newer?: SignedCheckpoint }> {
  demandSameLog(origin, known);
  const seen = await remembered?.(origin);
  if (seen === undefined) return { known };
  return seen.size > size ? { known, newer: seen } : { known: [...known, seen] };
}

/** The keys that a log has taken up, each of which may have signed it for a time. */
const recordedKeys = ({ recordedKeys: keys }: LogChecks, origin: string): VerifierKey[] =>
  [...keys].map((publicKey) => verifierKeyOf(origin, Buffer.from(publicKey, 'base64')));

function demandTenant(origin: string): string {
  const tenantId = tenantOf(origin);
  if (tenantId !== undefined) return tenantId;
  throw new Altered(`The origin ${origin} does not name the log of a tenant.`);
}

/** @returns how many entries show no fields */
async function checkEntries(
  folder: LogFolder,
  { checkpoint, checks, read }: { checkpoint: VerifiedCheckpoint; checks: LogChecks; read?: EntryReader },
): Promise<number> {
  let withheld = 0;
  for await (const entry of readBundles(folder, checkpoint.size)) {
    if (entry.shown === undefined) withheld += 1;
    const index = checks.size;
    for (const tile of checks.add(entry)) await demandTile(folder, tile);
    read?.(entry, index);
  }
  for (const tile of checks.partialTiles()) await demandTile(folder, tile);
  if (!checks.root()!.equals(checkpoint.rootHash)) {
    throw new Altered('The entries are not those that the checkpoint signs: they have another root.');
  }
  const unexplained = checks.firstUnexplained();
  if (unexplained !== undefined) {
    throw new Altered(
      `The fields of entry ${unexplained} are withheld, and no later entry says that they were erased.`,
      unexplained,
    );
  }
  checks.demandKeys(checkpoint.signedBy);
  return withheld;
}

/** Demands that a tile's file has the hashes that follow from the entries. */
async function demandTile(folder: LogFolder, { hashes, ...tile }: Tile & { hashes: Buffer }): Promise<void> {
  // The entries were compared with the hashes of level 0 one by one.
  if (tile.level === 0) return;
  const path = logPath({ kind: 'tile', ...tile });
  const found = await folder.read(path);
  if (found === undefined) throw new Altered(`The file ${path} is missing.`, firstEntryOf(path));
  if (found.equals(hashes)) return;
  const covered = TILE_WIDTH ** tile.level;
  const place = firstDifference(found, hashes);
  if (place === undefined) {
    throw new Altered(`The file ${path} goes on after its last hash.`, firstEntryOf(path));
  }
  const index = (tile.index * TILE_WIDTH + place) * covered;
  throw new Altered(`The file ${path} lacks the hash of the ${covered} entries from ${index} on.`, index);
}

/** Which hash is the first that is not as expected; undefined if all are. */
function firstDifference(found: Buffer, expected: Buffer): number | undefined {
  const byte = expected.findIndex((value, at) => found[at] !== value);
  return byte < 0 ? undefined : Math.floor(byte / HASH_BYTES);
}

async function demandNothingElse(folder: LogFolder, size: number): Promise<void> {
  for await (const path of folder.paths()) {
    if (!isOfLog(path) || belongs(path, size)) continue;
    const text = JSON.stringify(path);
    throw new Altered(`The file ${text} does not belong to a log of ${size} entries.`, firstEntryOf(path));
  }
}
