import { hash } from 'node:crypto';
import type { Budget } from '../budget';
import { unreadable } from '../remote-failure';
import { parseCommit, type Commit } from './commit';
import { DecodedPack, type PackedObject } from './decoded-pack';
import { DeltaTree } from './delta-tree';
import { readDeltaHead } from './delta';
import { inflate } from './inflate';
import { objectIdOf, type ObjectType } from './object-id';
import { readPackEntry, type PackEntry } from './pack-entry';

const SIGNATURE = 'PACK';
const VERSIONS = [2, 3];
const HEADER_BYTES = 12;
const TRAILER_BYTES = 20;

/**
 * Checks a whole pack and indexes it. Each object's id is the hash of its content; a delta whose base is not in the
 * pack, a wrong trailer, bytes after the last object: all fatal. Sizes and counts are charged before anything is
 * allocated for them.
 *
 * @throws RemoteFailure remote_too_large when a cap is hit, remote_unreadable when the pack is malformed
 */
export function decodePack(pack: Buffer, budget: Budget): DecodedPack {
  const count = readHeader(pack);
  budget.chargeObjects(count);
  const end = pack.length - TRAILER_BYTES;
  if (hash('sha1', pack.subarray(0, end), 'hex') !== pack.toString('hex', end))
    throw unreadable('wrong pack checksum');

  const objects = new Map<string, PackedObject>();
  const commits = new Map<string, Commit>();
  const accept = (entry: PackEntry, type: ObjectType, content: Buffer): string => {
    const id = objectIdOf(type, content);
    if (type === 'commit') commits.set(id, parseCommit(content));
    // Of an object that is there twice the first entry stays: a later one may be a delta on the object itself.
    else if (!objects.has(id)) objects.set(id, { entry, type });
    return id;
  };
  const deltas = new DeltaTree(pack, budget, accept);
  let position = HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    if (position >= end) throw unreadable('pack with fewer objects than declared');
    position = scanEntry(pack, position, { budget, accept, deltas });
  }
  if (position !== end) throw unreadable('bytes after the last object');
  deltas.resolve();
  return new DecodedPack(pack, objects, commits);
}

function readHeader(pack: Buffer): number {
  if (pack.length < HEADER_BYTES + TRAILER_BYTES) throw unreadable('pack cut');
  if (pack.toString('latin1', 0, SIGNATURE.length) !== SIGNATURE) throw unreadable('no pack');
  if (!VERSIONS.includes(pack.readUInt32BE(4))) throw unreadable('unknown version of pack');
  return pack.readUInt32BE(8);
}

interface Scan {
  budget: Budget;
  accept(entry: PackEntry, type: ObjectType, content: Buffer): string;
  deltas: DeltaTree;
}

/** @returns where the next entry starts */
function scanEntry(pack: Buffer, position: number, { budget, accept, deltas }: Scan): number {
  const entry = readPackEntry(pack, position);
  budget.chargeInflated(entry.size);
  const { content, end } = inflate(pack, entry.start, entry.size);
  if (entry.type === 'offset-delta' || entry.type === 'id-delta') {
    budget.chargeInflated(readDeltaHead(content).targetSize);
    deltas.addDelta(entry);
  } else {
    deltas.addBase(entry, entry.type, accept(entry, entry.type, content));
  }
  return end;
}
